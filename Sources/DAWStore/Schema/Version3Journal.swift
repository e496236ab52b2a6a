import CSQLiteSession
import Foundation
import GRDB

/// Converts the changesets of version 2 and before to the tables of version 3: rows of `track` are divided into those
/// of `track` and `instrument`, and three tables have other names. The entries stay what they are.
enum Version3Journal {
  /// In the caller's transaction, after the tables were made.
  static func convert(_ database: Database) throws {
    let journal = Journal(database: database)
    var growth = 0
    for entry in try journal.entries() {
      let changeset = try journal.changeset(ofRevision: entry.revision)
      guard let converted = try Self.converted(changeset) else { continue }
      let stored = try converted.stored()
      let earlier = try Int.fetchOne(
        database, sql: "SELECT length(changeset) FROM journalEntry WHERE revision = ?", arguments: [entry.revision])
      if ![.create, .base].contains(entry.kind) { growth += stored.bytes.count - (earlier ?? 0) }
      try ConnectionLimits.allowingChangesets(database) {
        try database.execute(
          sql: "UPDATE journalEntry SET isCompressed = ?, changeset = ? WHERE revision = ?",
          arguments: [stored.isCompressed, Data(stored.bytes), entry.revision])
      }
    }
    try database.execute(sql: "UPDATE journalState SET byteCount = max(0, byteCount + ?)", arguments: [growth])
  }

  private static let newNames = [
    "tempoMark": "tempoChange", "meterMark": "meterChange", "keyMark": "keySignature",
  ]

  /// - Returns: `nil` if nothing needs to be converted.
  private static func converted(_ changeset: Changeset) throws -> Changeset? {
    try changeset.bytes.withUnsafeBytes { bytes -> Changeset? in
      var reader = ChangesetReader(bytes: bytes)
      var result: [UInt8] = []
      var isChanged = false
      while let section = try reader.nextSection() {
        if section.table == "track" {
          let rows = try section.rows.map { try ConvertedRow($0, in: reader) }
          result += group("instrument", instrumentColumnCount, rows.compactMap(instrumentRow))
          result += group("track", trackColumns.count, rows.compactMap(trackRow))
          isChanged = true
        } else if let name = newNames[section.table] {
          result += bytes[section.bytes.lowerBound..<section.flags.upperBound]
          result += Array(name.utf8) + [0]
          result += bytes[section.header.upperBound..<section.bytes.upperBound]
          isChanged = true
        } else {
          result += bytes[section.bytes]
        }
      }
      return isChanged ? Changeset(bytes: result) : nil
    }
  }

  /// The columns of version 2 that stay in `track`.
  private static let trackColumns = Array(0...11) + [26]
  /// The columns of version 2, the id first, that make an instrument. The last, `gainReference`, is new.
  private static let instrumentColumns = [0] + Array(12...25)
  private static let instrumentColumnCount = 16
  private static let (trackID, bank) = (0, 13)

  private static func trackRow(_ row: ConvertedRow) -> ConvertedRow? {
    let columns = trackColumns.map { index in (row.old[index], row.new[index]) }
    if row.operation == SQLITE_UPDATE, columns.dropFirst().allSatisfy({ $0.0 == absent && $0.1 == absent }) {
      return nil
    }
    return ConvertedRow(row.operation, isIndirect: row.isIndirect, columns.map(\.0), columns.map(\.1))
      .completed(with: trackColumns.map { defaults[$0] ?? null })
  }

  /// - Returns: `nil` if the row neither had nor has an instrument, or the instrument did not change.
  private static func instrumentRow(_ row: ConvertedRow) -> ConvertedRow? {
    var old = instrumentColumns.map { row.old[$0] }
    var new = instrumentColumns.map { row.new[$0] }
    var operation = row.operation
    let isThere = (before: row.old[bank] != null, after: row.new[bank] != null)
    switch operation {
    case SQLITE_INSERT: guard isThere.after else { return nil }
    case SQLITE_DELETE: guard isThere.before else { return nil }
    default:
      let isChanged = zip(old, new).dropFirst().contains { $0 != absent || $1 != absent }
      guard isChanged, isThere.before || isThere.after else { return nil }
      // What an update does not contain is the same with and without an instrument: the default.
      if !isThere.before {
        operation = SQLITE_INSERT
        new[0] = row.old[trackID]
      } else if !isThere.after {
        operation = SQLITE_DELETE
      }
    }
    let reference = text("fluidSynth")
    old.append(operation == SQLITE_UPDATE ? absent : reference)
    new.append(operation == SQLITE_UPDATE ? absent : reference)
    return ConvertedRow(operation, isIndirect: row.isIndirect, old, new)
      .completed(with: instrumentColumns.map { defaults[$0] ?? null } + [reference])
  }

  // MARK: Values, as a changeset encodes them

  private typealias Value = ArraySlice<UInt8>
  fileprivate static let absent: ArraySlice<UInt8> = [0]
  private static let null: Value = [UInt8(SQLITE_NULL)]

  private static func text(_ text: String) -> Value { [UInt8(SQLITE_TEXT), UInt8(text.utf8.count)] + text.utf8 }

  private static func integer(_ number: Int64) -> Value {
    [UInt8(SQLITE_INTEGER)] + withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  private static func real(_ number: Double) -> Value {
    [UInt8(SQLITE_FLOAT)] + withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) }
  }

  /// The defaults of the columns that version 2 appended, by index.
  private static let defaults: [Int: Value] = [
    15: real(0), 16: integer(0), 17: real(0.2), 18: real(0), 19: real(0.5), 20: real(0.9), 21: integer(0),
    22: integer(3), 23: real(2), 24: real(0.3), 25: real(8),
  ]

  private static func group(_ name: String, _ columnCount: Int, _ rows: [ConvertedRow]) -> [UInt8] {
    guard !rows.isEmpty else { return [] }
    let header = [UInt8(ascii: "T"), UInt8(columnCount), 1] + [UInt8](repeating: 0, count: columnCount - 1)
    return header + Array(name.utf8) + [0] + rows.flatMap(\.bytes)
  }
}

/// A changed row with its encoded values: one byte of type, and the value.
private struct ConvertedRow {
  /// `SQLITE_INSERT`, `SQLITE_DELETE` or `SQLITE_UPDATE`.
  var operation: Int32
  var isIndirect: UInt8
  /// The values before; all absent in an insertion.
  var old: [ArraySlice<UInt8>]
  /// The values afterwards; all absent in a deletion.
  var new: [ArraySlice<UInt8>]

  init(_ operation: Int32, isIndirect: UInt8, _ old: [ArraySlice<UInt8>], _ new: [ArraySlice<UInt8>]) {
    self.operation = operation
    self.isIndirect = isIndirect
    self.old = old
    self.new = new
  }

  /// A row of version 2's `track`. Columns that an older table did not have are absent.
  /// - Throws: `DatabaseError` if there are more columns than that table has.
  init(_ row: ChangesetReader.SectionRow, in reader: ChangesetReader) throws {
    let first = try Self.completed(reader.encodedValues(in: row.start + 2..<row.middle))
    let second = try Self.completed(reader.encodedValues(in: row.middle..<row.end))
    self.init(
      Int32(reader.bytes[row.start]), isIndirect: reader.bytes[row.start + 1],
      row.operation == .insertion ? second : first, row.operation == .insertion ? first : second)
  }

  /// The columns of version 2's `track`.
  private static let columnCount = 27

  private static func completed(_ values: [ArraySlice<UInt8>]) throws -> [ArraySlice<UInt8>] {
    guard values.count <= columnCount else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a changeset with \(values.count) columns of track")
    }
    return values + [ArraySlice<UInt8>](repeating: Version3Journal.absent, count: columnCount - values.count)
  }

  /// Insertions and deletions contain every value: those of columns that were appended later are their defaults.
  func completed(with defaults: [ArraySlice<UInt8>]) -> ConvertedRow {
    func complete(_ values: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
      zip(values, defaults).map { $0 == Version3Journal.absent ? $1 : $0 }
    }
    var result = self
    if operation == SQLITE_INSERT { result.new = complete(new) }
    if operation == SQLITE_DELETE { result.old = complete(old) }
    return result
  }

  var bytes: [UInt8] {
    let values =
      switch operation {
      case SQLITE_INSERT: new
      case SQLITE_DELETE: old
      default: old + new
      }
    return [UInt8(operation), isIndirect] + values.joined()
  }
}
