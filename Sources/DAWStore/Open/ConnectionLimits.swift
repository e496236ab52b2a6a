import CSQLiteSession
import GRDB

/// SQLite's limits for a connection. Each is higher than daw itself needs.
/// - SeeAlso: https://www.sqlite.org/security.html, "Untrusted SQLite Database Files"
enum ConnectionLimits {
  /// The longest text or blob other than a changeset, in bytes. daw writes at most 1 MiB, a system exclusive message;
  /// older versions allowed command lines of up to 6 MiB, the system's limit.
  static let valueByteCount = 8 << 20

  /// The longest stored changeset: SQLite's maximum.
  private static let changesetByteCount = 1_000_000_000

  /// The length to which any compressed changeset may expand, however short it is.
  static let denseChangesetByteCount = 16 << 20

  /// The longest SQL text, and so the longest definition of a table in a file, in bytes.
  private static let statementByteCount = 100_000

  static func set(on database: Database) {
    let limits: [(Int32, Int)] = [
      (SQLITE_LIMIT_LENGTH, valueByteCount), (SQLITE_LIMIT_SQL_LENGTH, statementByteCount),
      (SQLITE_LIMIT_EXPR_DEPTH, 100),
      (SQLITE_LIMIT_COMPOUND_SELECT, 64), (SQLITE_LIMIT_VDBE_OP, 250_000), (SQLITE_LIMIT_FUNCTION_ARG, 64),
      (SQLITE_LIMIT_ATTACHED, 1), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000), (SQLITE_LIMIT_TRIGGER_DEPTH, 10),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits { sqlite3_limit(database.sqliteConnection, limit, Int32(value)) }
    let switches: [(Int32, Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
    ]
    for (which, isOn) in switches { daw_set_switch(database.sqliteConnection, which, isOn) }
  }

  /// Runs `body`, which copies a whole file by `VACUUM INTO`; SQLite prefixes each definition.
  static func allowingCopy<T>(_ database: Database, _ body: () throws -> T) rethrows -> T {
    sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_SQL_LENGTH, Int32(statementByteCount + 1000))
    defer { sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_SQL_LENGTH, Int32(statementByteCount)) }
    return try allowingChangesets(database, body)
  }

  /// Runs `body`, which reads or writes changesets.
  static func allowingChangesets<T>(_ database: Database, _ body: () throws -> T) rethrows -> T {
    sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(changesetByteCount))
    defer { sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(valueByteCount)) }
    return try body()
  }
}
