import CSQLiteSession
import GRDB

/// What SQLite is allowed on a connection. Each is more than what we write ourselves needs.
/// - SeeAlso: https://www.sqlite.org/security.html, "Untrusted SQLite Database Files"
enum ConnectionLimits {
  /// The longest text or blob but a changeset, in bytes. A system exclusive message is the longest that we write, 1 MiB;
  /// before there was a limit, a command line could have the 6 MiB that Linux gives to a process.
  static let valueByteCount = 8 << 20

  /// The longest changeset as it is stored: as much as SQLite can hold.
  private static let changesetByteCount = 1_000_000_000

  static func set(on database: Database) {
    let limits: [(Int32, Int)] = [
      (SQLITE_LIMIT_LENGTH, valueByteCount), (SQLITE_LIMIT_SQL_LENGTH, 100_000), (SQLITE_LIMIT_EXPR_DEPTH, 100),
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

  /// Runs `body`, which reads or writes changesets.
  static func allowingChangesets<T>(_ database: Database, _ body: () throws -> T) rethrows -> T {
    sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(changesetByteCount))
    defer { sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, Int32(valueByteCount)) }
    return try body()
  }
}
