import CSQLiteSession
import DAWModel
import GRDB

/// What SQLite's session extension recorded of the model's tables: a list of rows added, changed and removed, with what
/// they were before.
struct Changeset: Equatable {
  var bytes: [UInt8]

  var isEmpty: Bool { bytes.isEmpty }

  /// The changeset that takes this one back.
  func inverted() throws -> Changeset {
    try Changeset.made { size, result in
      bytes.withUnsafeBytes { sqlite3changeset_invert(Int32($0.count), $0.baseAddress, size, result) }
    }
  }

  /// One changeset that does what several do one after the other.
  static func joining(_ changesets: [Changeset]) throws -> Changeset {
    var group: OpaquePointer?
    var code = sqlite3changegroup_new(&group)
    defer { sqlite3changegroup_delete(group) }
    for changeset in changesets where code == SQLITE_OK && !changeset.isEmpty {
      var copy = changeset.bytes
      code = copy.withUnsafeMutableBytes { sqlite3changegroup_add(group, Int32($0.count), $0.baseAddress) }
    }
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return try made { sqlite3changegroup_output(group, $0, $1) }
  }

  /// Lets SQLite allocate the bytes, and takes them over.
  fileprivate static func made(
    _ make: (UnsafeMutablePointer<Int32>, UnsafeMutablePointer<UnsafeMutableRawPointer?>) -> Int32
  ) throws -> Changeset {
    var size: Int32 = 0
    var result: UnsafeMutableRawPointer?
    let code = make(&size, &result)
    defer { sqlite3_free(result) }
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    return Changeset(bytes: [UInt8](UnsafeRawBufferPointer(start: result, count: Int(size))))
  }
}

extension Changeset {
  /// Records what `body` does to the model's tables.
  /// - Parameter tables: the model's, children first; here and below.
  static func recording<T>(of tables: [String], in database: Database, _ body: () throws -> T) throws -> (T, Changeset)
  {
    let session = try makeSession(database, schema: "main", tables)
    defer { sqlite3session_delete(session) }
    let value = try body()
    return (value, try made { sqlite3session_changeset(session, $0, $1) })
  }

  /// What turns the model's tables of the schema `from` into those of the schema `to` of one connection.
  static func difference(of tables: [String], in database: Database, from: String, to: String) throws -> Changeset {
    let session = try makeSession(database, schema: to, tables)
    defer { sqlite3session_delete(session) }
    for table in tables {
      var message: UnsafeMutablePointer<CChar>?
      let code = sqlite3session_diff(session, from, table, &message)
      defer { sqlite3_free(message) }
      guard code == SQLITE_OK else {
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message.map { String(cString: $0) })
      }
    }
    return try made { sqlite3session_changeset(session, $0, $1) }
  }

  private static func makeSession(_ database: Database, schema: String, _ tables: [String]) throws -> OpaquePointer {
    var session: OpaquePointer?
    var code = sqlite3session_create(database.sqliteConnection, schema, &session)
    guard code == SQLITE_OK, let session else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    for table in tables {
      code = sqlite3session_attach(session, table)
      guard code == SQLITE_OK else {
        sqlite3session_delete(session)
        throw DatabaseError(resultCode: ResultCode(rawValue: code))
      }
    }
    return session
  }
}
