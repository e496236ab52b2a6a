import CSQLiteSession
import DAWModel
import GRDB

/// A row that a changeset inserts, updates or deletes, as far as the changeset contains it.
struct ChangedRow {
  enum Operation { case insertion, update, deletion }

  var table: String
  var operation: Operation
  /// The value of the first column, the primary key of every table.
  var id: Int64
  /// The value of the second column before and after, if it is an integer and part of the changeset: the region of a
  /// note or an event. An update contains only columns that differ.
  var oldSecond: Int64?
  var newSecond: Int64?
  /// One bit for each column that an update changes, the lowest for the first column; 0 for insertions and deletions.
  var changedColumns: UInt64 = 0
}

/// A row that a changeset inserts, updates or deletes, with its values by column.
struct ChangedValues {
  var table: String
  var operation: ChangedRow.Operation
  /// Empty for insertions; `nil` for values that the changeset does not contain.
  var old: [StoredValue?]
  /// Empty for deletions; likewise.
  var new: [StoredValue?]
}

extension Changeset {
  /// Parses the changeset. Ten times faster than SQLite's iterator, which copies every value.
  /// - Throws: `DatabaseError` if the bytes are not a changeset, and what `body` throws.
  /// - SeeAlso: `sqlite3session.c`, "CHANGESET FORMAT".
  func forEachRow(_ body: (ChangedRow) throws -> Void) throws {
    try bytes.withUnsafeBytes { bytes in
      var reader = ChangesetReader(bytes: bytes)
      while let row = try reader.next() { try body(row) }
    }
  }

  /// The number of rows inserted, updated or deleted.
  func operationCount() throws -> Int {
    var count = 0
    try forEachRow { _ in count += 1 }
    return count
  }
}

/// Where a reader of a changeset is.
struct ChangesetPlace {
  fileprivate(set) var offset = 0
  fileprivate(set) var table = ""
  fileprivate(set) var columnCount = 0
}

struct ChangesetReader {
  let bytes: UnsafeRawBufferPointer
  private(set) var place: ChangesetPlace

  init(bytes: UnsafeRawBufferPointer, at place: ChangesetPlace = ChangesetPlace()) {
    self.bytes = bytes
    self.place = place
  }

  private var offset: Int {
    get { place.offset }
    set { place.offset = newValue }
  }
  private var columnCount: Int { place.columnCount }

  /// - Returns: `nil` at the end.
  mutating func next() throws -> ChangedRow? {
    switch try nextOperation() {
    case nil: return nil
    case .insertion:
      let new = try readRow()
      return try row(.insertion, id: new.first, oldSecond: nil, newSecond: new.second)
    case .deletion:
      let old = try readRow()
      return try row(.deletion, id: old.first, oldSecond: old.second, newSecond: nil)
    case .update:
      let (old, new) = (try readRow(), try readRow())
      return try row(.update, id: old.first, oldSecond: old.second, newSecond: new.second, changedColumns: new.columns)
    }
  }

  /// The next row with its values before and after, by column; `nil` for those that the changeset does not contain.
  /// - Parameter isWanted: rows of other tables are skipped.
  /// - Returns: `nil` at the end.
  mutating func nextValues(ofTables isWanted: (String) -> Bool) throws -> ChangedValues? {
    while let operation = try nextOperation() {
      if isWanted(place.table) {
        let old = operation == .insertion ? [] : try readValues()
        let new = operation == .deletion ? [] : try readValues()
        return ChangedValues(table: place.table, operation: operation, old: old, new: new)
      }
      _ = try readRow()
      if operation == .update { _ = try readRow() }
    }
    return nil
  }

  /// The rows of one table, in bytes.
  struct Section {
    var table: String
    var columnCount: Int
    var header: Range<Int>
    /// In the header: for each column, whether it is part of the key. The table's name follows.
    var flags: Range<Int>
    var rows: [SectionRow]
    var bytes: Range<Int> { header.lowerBound..<(rows.last?.end ?? header.upperBound) }
  }

  /// A row of a section, in bytes: one for the operation, one that says whether the change was indirect, and the values.
  struct SectionRow {
    var operation: ChangedRow.Operation
    var start: Int
    /// Of an update, where the values afterwards begin, behind those before; of others, the end.
    var middle: Int
    var end: Int
  }

  /// The next table with its rows; before the first row of any.
  /// - Returns: `nil` at the end.
  mutating func nextSection() throws -> Section? {
    guard offset < bytes.count else { return nil }
    let start = offset
    guard try byte() == UInt8(ascii: "T") else { throw broken }
    let flags = try readTable()
    var section = Section(table: place.table, columnCount: columnCount, header: start..<offset, flags: flags, rows: [])
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "T") {
      let start = offset
      guard let operation = try nextOperation() else { break }
      _ = try readRow()
      let middle = offset
      if operation == .update { _ = try readRow() }
      section.rows.append(SectionRow(operation: operation, start: start, middle: middle, end: offset))
    }
    return section
  }

  /// The values that lie in a range, as they are encoded: each with the byte of its type.
  func encodedValues(in range: Range<Int>) throws -> [ArraySlice<UInt8>] {
    var reader = self
    reader.offset = range.lowerBound
    var values: [ArraySlice<UInt8>] = []
    while reader.offset < range.upperBound {
      let start = reader.offset
      _ = try reader.value()
      values.append(Array(bytes[start..<reader.offset])[...])
    }
    return values
  }

  /// - Returns: `nil` at the end.
  private mutating func nextOperation() throws -> ChangedRow.Operation? {
    while offset < bytes.count {
      let kind = try byte()
      if kind == UInt8(ascii: "T") {
        try readTable()
        continue
      }
      // Whether the change was indirect, made by a trigger or a foreign key; ignored.
      _ = try byte()
      switch Int32(kind) {
      case SQLITE_INSERT: return .insertion
      case SQLITE_DELETE: return .deletion
      case SQLITE_UPDATE: return .update
      default: throw broken
      }
    }
    return nil
  }

  private func row(
    _ operation: ChangedRow.Operation, id: Int64?, oldSecond: Int64?, newSecond: Int64?, changedColumns: UInt64 = 0
  ) throws -> ChangedRow {
    guard let id, columnCount > 0 else { throw broken }
    return ChangedRow(
      table: place.table, operation: operation, id: id, oldSecond: oldSecond, newSecond: newSecond,
      changedColumns: changedColumns)
  }

  private var broken: DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a broken changeset") }

  /// - Returns: the flags of the columns: whether each is part of the key.
  @discardableResult
  private mutating func readTable() throws -> Range<Int> {
    place.columnCount = try length()
    guard columnCount < bytes.count - offset else { throw broken }
    let flags = offset..<offset + columnCount
    guard let end = bytes[flags.upperBound...].firstIndex(of: 0) else { throw broken }
    place.table = String(decoding: bytes[flags.upperBound..<end], as: UTF8.self)
    offset = end + 1
    return flags
  }

  /// The first two columns, if they are integers, and which columns are present; other values are skipped.
  private mutating func readRow() throws -> (first: Int64?, second: Int64?, columns: UInt64) {
    var found: (first: Int64?, second: Int64?, columns: UInt64) = (nil, nil, 0)
    for column in 0..<columnCount {
      let value = try value()
      if case .absent = value { continue }
      // Columns after the 64th share a bit.
      found.columns |= 1 << UInt64(min(column, 63))
      guard column < 2, case .integer(let number) = value else { continue }
      if column == 0 { found.first = number } else { found.second = number }
    }
    return found
  }

  private mutating func readValues() throws -> [StoredValue?] {
    var values: [StoredValue?] = []
    values.reserveCapacity(columnCount)
    for _ in 0..<columnCount {
      switch try value() {
      case .absent: values.append(nil)
      case .null: values.append(.null)
      case .integer(let number): values.append(.integer(number))
      case .real(let number): values.append(.real(number))
      case .text(let range): values.append(.text(String(decoding: bytes[range], as: UTF8.self)))
      case .blob(let range): values.append(.bytes([UInt8](bytes[range])))
      }
    }
    return values
  }

  /// A value as it lies in the changeset.
  private enum Value {
    /// The changeset does not contain it.
    case absent
    case null
    case integer(Int64)
    case real(Double)
    /// The place of the UTF-8.
    case text(Range<Int>)
    case blob(Range<Int>)
  }

  /// Reads the next value of a row, or passes over it: it copies nothing.
  @inline(__always)
  private mutating func value() throws -> Value {
    switch Int32(try byte()) {
    case 0: return .absent
    case SQLITE_NULL: return .null
    case SQLITE_INTEGER: return .integer(Int64(bitPattern: try word()))
    case SQLITE_FLOAT: return .real(Double(bitPattern: try word()))
    case SQLITE_TEXT: return .text(try piece())
    case SQLITE_BLOB: return .blob(try piece())
    default: throw broken
    }
  }

  private mutating func word() throws -> UInt64 {
    guard offset + 8 <= bytes.count else { throw broken }
    defer { offset += 8 }
    return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private mutating func piece() throws -> Range<Int> {
    let count = try length()
    guard offset + count <= bytes.count else { throw broken }
    defer { offset += count }
    return offset..<offset + count
  }

  private mutating func byte() throws -> UInt8 {
    guard offset < bytes.count else { throw broken }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// A variable-length integer of SQLite below 2³⁵.
  private mutating func length() throws -> Int {
    var value = 0
    for _ in 0..<5 {
      let next = try byte()
      value = value << 7 | Int(next & 0x7f)
      if next < 0x80 { return value }
    }
    throw broken
  }
}
