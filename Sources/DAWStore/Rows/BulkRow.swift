import CSQLiteSession
import GRDB

/// A row of eight columns that comes by the million: bound through SQLite's own handles, and added many to a statement.
protocol BulkRow {
  static var table: String { get }
  /// Separated by commas.
  static var columns: String { get }
  /// One row, eight parameters.
  static var insertSQL: String { get }

  /// Binds it to eight of a statement's parameters. Bytes are copied.
  func bind(to handle: OpaquePointer?, from first: Int32)
}

extension BulkRow {
  /// From so many on, the triggers take longer than to switch them off and on again.
  static var bulkCount: Int { 1000 }

  /// As many at a time as save the most: a statement's beginning and end take as long as a row.
  private static var togetherCount: Int { 64 }

  /// - Throws: `DatabaseError` of the first row that SQLite refuses, or of those that it is given with.
  static func insert(_ rows: [Self], in database: Database) throws {
    let together = rows.count - rows.count % togetherCount
    try inBulk(rows.count, in: database) {
      if together > 0 {
        let places = Array(repeating: "(?, ?, ?, ?, ?, ?, ?, ?)", count: togetherCount).joined(separator: ", ")
        let sql = "INSERT INTO \(table) (\(columns)) VALUES " + places
        try run(sql, togetherCount, with: rows[..<together], in: database)
      }
      try run(insertSQL, 1, with: rows[together...], in: database)
    }
  }

  /// Without triggers where the rows are many; `CHECK`s and foreign keys judge them in any case.
  static func inBulk(_ count: Int, in database: Database, _ body: () throws -> Void) rethrows {
    let isBulk = count >= bulkCount
    if isBulk { daw_enable_triggers(database.sqliteConnection, 0) }
    defer { if isBulk { daw_enable_triggers(database.sqliteConnection, 1) } }
    try body()
  }

  /// Runs a statement that has eight parameters for each of so many rows.
  /// - Parameter rows: a multiple of `together`.
  static func run(_ sql: String, _ together: Int, with rows: ArraySlice<Self>, in database: Database) throws {
    guard !rows.isEmpty else { return }
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    var parameter: Int32 = 1
    for row in rows {
      row.bind(to: handle, from: parameter)
      parameter += 8
      guard parameter > 8 * Int32(together) else { continue }
      guard sqlite3_step(handle) == SQLITE_DONE else { throw newestError(of: sql, in: database) }
      sqlite3_reset(handle)
      parameter = 1
    }
  }

  static func newestError(of sql: String, in database: Database) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
      message: String(cString: sqlite3_errmsg(database.sqliteConnection)), sql: sql)
  }
}
