import CSQLiteSession
import GRDB

/// A session of SQLite's session extension: records every change of its tables on one connection.
final class ChangeSession {
  let tables: [String]
  private let session: OpaquePointer

  /// - Parameter tables: tables of `schema`, children first.
  init(of tables: [String], in database: Database, schema: String = "main") throws {
    self.tables = tables
    var session: OpaquePointer?
    var code = sqlite3session_create(database.sqliteConnection, schema, &session)
    guard code == SQLITE_OK, let session else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    self.session = session
    for table in tables {
      code = sqlite3session_attach(session, table)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
  }

  deinit { sqlite3session_delete(session) }

  /// Whether no change was recorded.
  var isEmpty: Bool { sqlite3session_isempty(session) != 0 }

  var isListening = true {
    didSet { sqlite3session_enable(session, isListening ? 1 : 0) }
  }

  /// The changes recorded so far.
  func changeset() throws -> Changeset {
    isEmpty ? Changeset(bytes: []) : try Changeset.made { sqlite3session_changeset(session, $0, $1) }
  }

  /// Records the changes that turn a table of another schema into this session's table.
  func addDifference(of table: String, from schema: String) throws {
    var message: UnsafeMutablePointer<CChar>?
    let code = sqlite3session_diff(session, schema, table, &message)
    defer { sqlite3_free(message) }
    guard code == SQLITE_OK else {
      throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message.map { String(cString: $0) })
    }
  }
}
