import CSQLiteSession
import GRDB

/// The changes of one table, written as SQLite's session extension records them, by whoever makes them.
///
/// The extension looks at each row three times: as it changes, in a table of hashes, and once more when the changeset is
/// made. Whoever adds a million rows knows what they are. What is large is compressed meanwhile on a thread of its own, so
/// that it is never in memory as a whole.
/// - SeeAlso: https://www.sqlite.org/session/sqlite3changegroup.html, and `sqlite3session.c` for the form of the bytes.
struct DirectChanges {
  private let table: String
  private let columnCount: Int
  /// What is not compressed yet.
  private var bytes: [UInt8] = []
  private let pieces = PieceQueue()
  private var pieceCount = 0

  /// - Parameter columnCount: of the table, whose first column alone is its primary key.
  init(table: String, columnCount: Int) {
    self.table = table
    self.columnCount = columnCount
  }

  var isEmpty: Bool { bytes.isEmpty && pieceCount == 0 }

  private mutating func begin() {
    if isEmpty {
      bytes = [UInt8(ascii: "T"), UInt8(columnCount), 1] + [UInt8](repeating: 0, count: columnCount - 1)
      bytes += Array(table.utf8) + [0]
    } else if bytes.count >= DeflatedPiece.usualByteCount {
      pieces.add(bytes)
      pieceCount += 1
      bytes = []
      bytes.reserveCapacity(DeflatedPiece.usualByteCount + 4096)
    }
  }

  /// - Parameter operation: SQLite's code for it. The byte behind it: not by a trigger or a reference.
  private mutating func begin(_ operation: Int32) {
    begin()
    bytes.append(UInt8(operation))
    bytes.append(0)
  }

  private mutating func append(_ integer: Int64) {
    let start = bytes.count
    bytes += Self.emptyInteger
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: integer.bigEndian, toByteOffset: start + 1, as: Int64.self) }
  }

  private static let emptyInteger: [UInt8] = [UInt8(SQLITE_INTEGER)] + [UInt8](repeating: 0, count: 8)
  private static let emptyInsertion: [UInt8] =
    [UInt8(SQLITE_INSERT), 0] + Array(repeatElement(emptyInteger, count: 8).joined())

  /// Rows of integers alone that were added.
  mutating func insert<Value>(_ values: [Value], _ columns: (Value) -> InlineArray<8, Int64>) {
    let empty = Self.emptyInsertion
    for value in values {
      begin()
      let start = bytes.count
      bytes += empty
      let row = columns(value)
      bytes.withUnsafeMutableBytes { bytes in
        for column in 0..<8 {
          bytes.storeBytes(of: row[column].bigEndian, toByteOffset: start + 3 + 9 * column, as: Int64.self)
        }
      }
    }
  }

  /// A row of integers alone that was changed, or not.
  mutating func update(_ old: InlineArray<8, Int64>, to new: InlineArray<8, Int64>) {
    guard (1..<8).contains(where: { old[$0] != new[$0] }) else { return }
    begin(SQLITE_UPDATE)
    // What it was, with its key, and what it is: only where that differs.
    append(old[0])
    for column in 1..<8 { if old[column] != new[column] { append(old[column]) } else { bytes.append(0) } }
    bytes.append(0)
    for column in 1..<8 { if old[column] != new[column] { append(new[column]) } else { bytes.append(0) } }
  }

  /// A row that was added: integers, some of which may be missing, and bytes, which may be.
  mutating func insert(_ integers: InlineArray<7, Int64?>, _ blob: [UInt8]?) {
    begin(SQLITE_INSERT)
    for column in integers.indices {
      if let integer = integers[column] { append(integer) } else { bytes.append(UInt8(SQLITE_NULL)) }
    }
    guard let blob else { return bytes.append(UInt8(SQLITE_NULL)) }
    bytes.append(UInt8(SQLITE_BLOB))
    appendLength(blob.count)
    bytes += blob
  }

  /// SQLite's variable-length integer: seven bits a byte, the most significant first. Of less than 2³².
  private mutating func appendLength(_ length: Int) {
    var shift = 28
    while shift > 0, length >> shift == 0 { shift -= 7 }
    while shift > 0 {
      bytes.append(UInt8(length >> shift & 0x7f | 0x80))
      shift -= 7
    }
    bytes.append(UInt8(length & 0x7f))
  }

  /// What was written, in pieces: those that are compressed, and the rest.
  func finish() throws -> (compressed: [DeflatedPiece], rest: [UInt8]) { (try pieces.finish(), bytes) }

  /// Everything that was written.
  func changeset() throws -> Changeset {
    var whole: [UInt8] = []
    for piece in try pieces.finish() {
      guard let plain = piece.inflated() else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      whole += plain
    }
    return Changeset(bytes: whole + bytes)
  }
}
