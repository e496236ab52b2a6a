import CSQLiteSession
import GRDB

/// The changes of one table in the format of SQLite's session extension, recorded by the code that makes them.
///
/// The extension processes each row three times: when it changes, in a hash table, and when the changeset is made. That
/// is slow for a million rows. Large changesets are compressed on another thread meanwhile, so that they are never in
/// memory as a whole.
/// - SeeAlso: https://www.sqlite.org/session/sqlite3changegroup.html, and `sqlite3session.c`, "CHANGESET FORMAT"
struct DirectChanges {
  private let table: String
  private let columnCount: Int
  /// Bytes that are not compressed yet.
  private var bytes: [UInt8] = []
  private let pieces = PieceQueue()
  private var pieceCount = 0

  /// - Parameter columnCount: the table's. The first column alone is the primary key.
  init(table: String, columnCount: Int) {
    self.table = table
    self.columnCount = columnCount
  }

  var isEmpty: Bool { bytes.isEmpty && pieceCount == 0 }

  private mutating func begin() {
    if isEmpty {
      bytes = [UInt8(ascii: "T"), UInt8(columnCount), 1] + [UInt8](repeating: 0, count: columnCount - 1)
      bytes += Array(table.utf8) + [0]
    } else if bytes.count >= DeflatedPiece.standardByteCount {
      pieces.add(bytes)
      pieceCount += 1
      bytes = []
      bytes.reserveCapacity(DeflatedPiece.standardByteCount + 4096)
    }
  }

  /// - Parameter operation: SQLite's code. The byte after it says that the change is direct, not by a trigger or
  ///   foreign key.
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

  /// Records inserted rows that consist of integers.
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

  /// Records an updated row that consists of integers; does nothing if the rows are equal.
  mutating func update(_ old: InlineArray<8, Int64>, to new: InlineArray<8, Int64>) {
    guard (1..<8).contains(where: { old[$0] != new[$0] }) else { return }
    begin(SQLITE_UPDATE)
    // The previous values with the key, then the new values; only columns that differ.
    append(old[0])
    for column in 1..<8 { if old[column] != new[column] { append(old[column]) } else { bytes.append(0) } }
    bytes.append(0)
    for column in 1..<8 { if old[column] != new[column] { append(new[column]) } else { bytes.append(0) } }
  }

  /// Records an inserted row of integers and bytes, which may be NULL.
  mutating func insert(_ integers: InlineArray<7, Int64?>, _ blob: [UInt8]?) {
    begin(SQLITE_INSERT)
    for column in integers.indices {
      if let integer = integers[column] { append(integer) } else { bytes.append(UInt8(SQLITE_NULL)) }
    }
    guard let blob else { return bytes.append(UInt8(SQLITE_NULL)) }
    bytes.append(UInt8(SQLITE_BLOB))
    bytes += Changeset.lengthBytes(blob.count)
    bytes += blob
  }

  /// Records an inserted row of integers, a number and a text.
  mutating func insert(_ integers: InlineArray<3, Int64>, _ real: Double, text: String) {
    begin(SQLITE_INSERT)
    for column in integers.indices { append(integers[column]) }
    append(Int64(bitPattern: real.bitPattern))
    bytes[bytes.count - 9] = UInt8(SQLITE_FLOAT)
    bytes.append(UInt8(SQLITE_TEXT))
    bytes += Changeset.lengthBytes(text.utf8.count)
    bytes += text.utf8
  }

  /// The recorded bytes: compressed pieces, then the uncompressed rest.
  func finish() throws -> (compressed: [DeflatedPiece], rest: [UInt8]) { (try pieces.finish(), bytes) }

  /// All recorded changes.
  func changeset() throws -> Changeset {
    var whole: [UInt8] = []
    for piece in try pieces.finish() {
      guard let plain = piece.inflated() else { throw DatabaseError(resultCode: .SQLITE_NOMEM) }
      whole += plain
    }
    return Changeset(bytes: whole + bytes)
  }
}
