import CSQLiteSession
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

private struct ChangesetReader {
  let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var table = ""
  private var columnCount = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// - Returns: `nil` at the end.
  mutating func next() throws -> ChangedRow? {
    while offset < bytes.count {
      let kind = try byte()
      if kind == UInt8(ascii: "T") {
        try readTable()
        continue
      }
      // Whether the change was indirect, made by a trigger or a foreign key; ignored.
      _ = try byte()
      switch Int32(kind) {
      case SQLITE_INSERT:
        let new = try readRow()
        return try row(.insertion, id: new.first, oldSecond: nil, newSecond: new.second)
      case SQLITE_DELETE:
        let old = try readRow()
        return try row(.deletion, id: old.first, oldSecond: old.second, newSecond: nil)
      case SQLITE_UPDATE:
        let (old, new) = (try readRow(), try readRow())
        return try row(
          .update, id: old.first, oldSecond: old.second, newSecond: new.second, changedColumns: new.columns)
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
      table: table, operation: operation, id: id, oldSecond: oldSecond, newSecond: newSecond,
      changedColumns: changedColumns)
  }

  private var broken: DatabaseError { DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a broken changeset") }

  private mutating func readTable() throws {
    columnCount = try length()
    guard columnCount < bytes.count - offset else { throw broken }
    offset += columnCount
    guard let end = bytes[offset...].firstIndex(of: 0) else { throw broken }
    table = String(decoding: bytes[offset..<end], as: UTF8.self)
    offset = end + 1
  }

  /// The first two columns, if they are integers, and which columns are present; other values are skipped.
  private mutating func readRow() throws -> (first: Int64?, second: Int64?, columns: UInt64) {
    var found: (first: Int64?, second: Int64?, columns: UInt64) = (nil, nil, 0)
    for column in 0..<columnCount {
      let type = Int32(try byte())
      // Columns after the 64th share a bit.
      if type != 0 { found.columns |= 1 << UInt64(min(column, 63)) }
      switch type {
      // Absent, or NULL.
      case 0, SQLITE_NULL: break
      case SQLITE_INTEGER:
        guard offset + 8 <= bytes.count else { throw broken }
        let value = Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int64.self))
        if column == 0 { found.first = value } else if column == 1 { found.second = value }
        offset += 8
      case SQLITE_FLOAT: offset += 8
      case SQLITE_TEXT, SQLITE_BLOB: offset += try length()
      default: throw broken
      }
      guard offset <= bytes.count else { throw broken }
    }
    return found
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
