import CSQLiteSession
import Foundation
import GRDB

extension ProjectStore {
  /// Restores the schema of a file's version: removes foreign triggers and views, and recreates changed objects.
  /// - Parameter backup: called if there is something to repair; returns the path for a backup, which is made first.
  /// - Returns: descriptions of the repairs; empty if the schema was right.
  /// - Throws: `StoreError`, `.schemaNotRepairable` if rows would be lost; `EditError` if a row breaks a rule that a
  ///   changed table did not enforce. The file is not changed.
  public static func repairSchema(at path: String, backup: () throws -> String) throws -> [String] {
    try ProjectFiles.check(path)
    try Header.check(path)
    if let reason = FileSystem.reasonNotToWrite(path) { throw StoreError.readOnly(path: path, reason: reason) }
    let migrator = Migrator.released
    return try translatingErrors(path) {
      let connectionGuard = ConnectionGuard(path: path, migrator: migrator)
      var configuration = configuration(connectionGuard: connectionGuard)
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { database in
        // SQLite then ignores the parts of a schema that it cannot parse, instead of failing.
        daw_set_switch(database.sqliteConnection, SQLITE_DBCONFIG_DEFENSIVE, 0)
        try database.execute(sql: "PRAGMA writable_schema = ON")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inDatabase { try ProjectFiles.requireUnmoved($0, path) }
      let isRight = try queue.read { database in
        try requireVersion(of: database, path, migrator)
        do {
          try connectionGuard.begin(database)
          return true
        } catch StoreError.schemaDiffers {
          return false
        }
      }
      if isRight { return [] }
      try copyPages(of: queue, at: path, to: try backup())
      return try queue.writeWithoutTransaction { database in
        var done: [String] = []
        try database.inTransaction(.immediate) {
          try connectionGuard.beginRepair(database)
          var repair = try SchemaRepair(database, path, migrator)
          try repair.run()
          done = repair.done
          return .commit
        }
        return done
      }
    }
  }

  /// Copies page by page, which does not parse the schema.
  private static func copyPages(of queue: DatabaseQueue, at path: String, to copy: String) throws {
    let partial = partialCopy(of: copy)
    defer { for ending in ["", "-journal"] { unlink(partial + ending) } }
    try prepareCopy(partial, of: path)
    let target = try DatabaseQueue(path: partial)
    try queue.backup(to: target)
    try target.close()
    try putInPlace(partial, as: copy)
  }
}
