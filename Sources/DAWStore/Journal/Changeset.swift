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
  static func made(
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
    let session = try ChangeSession(of: tables, in: database)
    let value = try body()
    return (value, try session.changeset())
  }

  /// What turns the model's tables of the schema `from` into those of the schema `to` of one connection.
  static func difference(of tables: [String], in database: Database, from: String, to: String) throws -> Changeset {
    let session = try ChangeSession(of: tables, in: database, schema: to)
    for table in tables { try session.addDifference(of: table, from: from) }
    return try session.changeset()
  }
}
