import CSQLiteSession
import DAWModel
import GRDB

/// A changeset of SQLite's session extension: the model's rows that were inserted, updated and deleted, with their
/// previous values.
struct Changeset: Equatable {
  var bytes: [UInt8]

  var isEmpty: Bool { bytes.isEmpty }

  /// The changeset that reverses this one.
  func inverted() throws -> Changeset {
    try Changeset.made { size, result in
      bytes.withUnsafeBytes { sqlite3changeset_invert(Int32($0.count), $0.baseAddress, size, result) }
    }
  }

  /// A changeset with the effect of several in sequence.
  static func joining(_ changesets: [Changeset]) throws -> Changeset {
    let group = try ChangesetGroup()
    for changeset in changesets { try group.add(changeset) }
    return try group.joined()
  }

  /// Calls a function of SQLite that allocates a changeset, and takes ownership of its memory.
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
  /// - Parameter tables: the model's tables, children first; here and below.
  static func recording<T>(of tables: [String], in database: Database, _ body: () throws -> T) throws -> (T, Changeset)
  {
    let session = try ChangeSession(of: tables, in: database)
    let value = try body()
    return (value, try session.changeset())
  }

  /// The changes that turn the model's tables of the schema `from` into those of the schema `to` of one connection.
  static func difference(of tables: [String], in database: Database, from: String, to: String) throws -> Changeset {
    let session = try ChangeSession(of: tables, in: database, schema: to)
    for table in tables { try session.addDifference(of: table, from: from) }
    return try session.changeset()
  }
}
