import CSQLiteSession
import DAWModel
import GRDB

/// Joins changesets into one with the effect of all in sequence. Rows that are changed and changed back drop out.
final class ChangesetGroup {
  private let group: OpaquePointer

  init() throws {
    var group: OpaquePointer?
    let code = sqlite3changegroup_new(&group)
    guard code == SQLITE_OK, let group else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    self.group = group
  }

  deinit { sqlite3changegroup_delete(group) }

  /// - Throws: `DatabaseError` if its tables have other columns than those of the changesets before.
  func add(_ changeset: Changeset) throws {
    guard !changeset.isEmpty else { return }
    var copy = changeset.bytes
    let code = copy.withUnsafeMutableBytes { sqlite3changegroup_add(group, Int32($0.count), $0.baseAddress) }
    guard code == SQLITE_OK else {
      throw DatabaseError(
        resultCode: code == SQLITE_SCHEMA ? .SQLITE_CORRUPT : ResultCode(rawValue: code),
        message: "changesets that do not fit each other")
    }
  }

  func joined() throws -> Changeset { try Changeset.made { sqlite3changegroup_output(group, $0, $1) } }
}

extension Changeset {
  /// The changeset with the columns that were appended to the tables since it was made, with their defaults: so it can
  /// be joined with later ones.
  /// - Throws: `DatabaseError` if the bytes are not a changeset.
  func widened(to layout: TableLayout) throws -> Changeset {
    try bytes.withUnsafeBytes { bytes in
      var reader = ChangesetReader(bytes: bytes)
      var result: [UInt8] = []
      var isWidened = false
      while let section = try reader.nextSection() {
        let missing = layout.defaults[section.table]?.dropFirst(section.columnCount) ?? []
        isWidened = isWidened || !missing.isEmpty
        // A header with two bytes of the count would have more columns than any table of the model.
        guard !missing.isEmpty, section.columnCount + missing.count < 128 else {
          result += bytes[section.bytes]
          continue
        }
        let (values, absent) = (missing.flatMap(\.changesetBytes), [UInt8](repeating: 0, count: missing.count))
        result.append(UInt8(ascii: "T"))
        result.append(UInt8(section.columnCount + missing.count))
        result += bytes[section.flags]
        result += absent
        result += bytes[section.flags.upperBound..<section.header.upperBound]
        for row in section.rows {
          result += bytes[row.start..<row.middle] + (row.operation == .update ? absent : values)
          if row.operation == .update { result += bytes[row.middle..<row.end] + absent }
        }
      }
      return isWidened ? Changeset(bytes: result) : self
    }
  }
}

extension StoredValue {
  /// - SeeAlso: `sqlite3session.c`, "CHANGESET FORMAT".
  fileprivate var changesetBytes: [UInt8] {
    func number(_ type: Int32, _ bits: UInt64) -> [UInt8] {
      [UInt8(type)] + withUnsafeBytes(of: bits.bigEndian) { Array($0) }
    }
    return switch self {
    case .null: [UInt8(SQLITE_NULL)]
    case .integer(let value): number(SQLITE_INTEGER, UInt64(bitPattern: value))
    case .real(let value): number(SQLITE_FLOAT, value.bitPattern)
    case .text(let text): [UInt8(SQLITE_TEXT)] + Changeset.lengthBytes(text.utf8.count) + text.utf8
    case .bytes(let bytes): [UInt8(SQLITE_BLOB)] + Changeset.lengthBytes(bytes.count) + bytes
    }
  }
}

extension Changeset {
  /// A variable-length integer of SQLite below 2³²: seven bits a byte, the most significant first.
  static func lengthBytes(_ length: Int) -> [UInt8] {
    var shift = 28
    while shift > 0, length >> shift == 0 { shift -= 7 }
    var bytes: [UInt8] = []
    while shift > 0 {
      bytes.append(UInt8(length >> shift & 0x7f | 0x80))
      shift -= 7
    }
    return bytes + [UInt8(length & 0x7f)]
  }
}
