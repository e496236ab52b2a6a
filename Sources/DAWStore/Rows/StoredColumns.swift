import CSQLiteSession
import GRDB

/// A row's columns by their place, whoever holds them.
/// - Throws: a value of another type than the schema has is an error, which `translatingErrors` knows.
protocol StoredColumns {
  func integer(_ column: Int) throws -> Int64
  func optionalInteger(_ column: Int) throws -> Int64?
  func real(_ column: Int) throws -> Double
  func text(_ column: Int) throws -> String
  func optionalText(_ column: Int) throws -> String?
}

extension Row: StoredColumns {
  func integer(_ column: Int) throws -> Int64 { try decode(atIndex: column) }
  func optionalInteger(_ column: Int) throws -> Int64? { try decode(atIndex: column) }
  func real(_ column: Int) throws -> Double { try decode(atIndex: column) }
  func text(_ column: Int) throws -> String { try decode(atIndex: column) }
  func optionalText(_ column: Int) throws -> String? { try decode(atIndex: column) }
}

/// The row that a statement stands at, read through SQLite's own handle: a third of the time that `Row` takes, for tables
/// of which every row is wanted. Valid until the statement's next step.
struct StatementRow: StoredColumns {
  let handle: OpaquePointer?

  /// Runs a query.
  /// - Throws: `DatabaseError`, and what `body` throws.
  static func forEach(_ sql: String, in database: Database, _ body: (StatementRow) throws -> Void) throws {
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: try body(StatementRow(handle: handle))
      case SQLITE_DONE: return
      default:
        throw DatabaseError(
          resultCode: ResultCode(rawValue: sqlite3_extended_errcode(database.sqliteConnection)),
          message: String(cString: sqlite3_errmsg(database.sqliteConnection)), sql: sql)
      }
    }
  }

  func integer(_ column: Int) throws -> Int64 {
    try require(SQLITE_INTEGER, column)
    return sqlite3_column_int64(handle, Int32(column))
  }

  func optionalInteger(_ column: Int) throws -> Int64? { isNull(column) ? nil : try integer(column) }

  func real(_ column: Int) throws -> Double {
    try require(SQLITE_FLOAT, column)
    return sqlite3_column_double(handle, Int32(column))
  }

  func text(_ column: Int) throws -> String {
    try require(SQLITE_TEXT, column)
    return sqlite3_column_text(handle, Int32(column)).map { String(cString: $0) } ?? ""
  }

  func optionalText(_ column: Int) throws -> String? { isNull(column) ? nil : try text(column) }

  private func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

  /// Strict tables hold nothing else, unless bytes were damaged.
  private func require(_ type: Int32, _ column: Int) throws {
    guard sqlite3_column_type(handle, Int32(column)) != type else { return }
    throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a value of column \(column) is not of its type")
  }
}
