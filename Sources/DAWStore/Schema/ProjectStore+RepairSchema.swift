import CSQLiteSession
import Foundation
import GRDB

extension ProjectStore {
  /// Makes a file's schema what its version has: removes triggers and views that are not ours, and makes anew what was
  /// changed.
  /// - Parameter backup: called where there is something to do, for the path of a copy that is made first.
  /// - Returns: what was done, as clauses; empty where the schema was right.
  /// - Throws: `StoreError`, `.schemaNotRepairable` where rows would be lost; `EditError` where a row breaks a rule that its
  ///   table does not hold any more. The file is as it was.
  public static func repairSchema(at path: String, backup: () throws -> String) throws -> [String] {
    try ProjectFiles.check(path)
    try Header.check(path)
    if let reason = FileSystem.reasonNotToWrite(path) { throw StoreError.readOnly(path: path, reason: reason) }
    let migrator = Migrator.released
    return try translatingErrors(path) {
      let watch = ConnectionGuard(path: path, migrator: migrator)
      var configuration = configuration(watch: watch)
      configuration.foreignKeysEnabled = false
      configuration.prepareDatabase { database in
        // Of what it cannot read in a schema, SQLite then makes nothing rather than an error.
        daw_set_switch(database.sqliteConnection, SQLITE_DBCONFIG_DEFENSIVE, 0)
        try database.execute(sql: "PRAGMA writable_schema = ON")
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.inDatabase { try ProjectFiles.requireUnmoved($0, path) }
      let isRight = try queue.read { database in
        try requireVersion(of: database, path, migrator)
        do {
          try watch.begin(database)
          return true
        } catch StoreError.schemaDiffers {
          return false
        }
      }
      if isRight { return [] }
      try copyPages(of: queue, to: try backup())
      return try queue.writeWithoutTransaction { database in
        var done: [String] = []
        try database.inTransaction(.immediate) {
          try watch.beginRepair(database)
          var repair = try SchemaRepair(database, path, migrator)
          try repair.run()
          done = repair.done
          return .commit
        }
        return done
      }
    }
  }

  /// A copy page by page, which needs no schema.
  private static func copyPages(of queue: DatabaseQueue, to copy: String) throws {
    let partial = partialCopy(of: copy)
    defer { for ending in ["", "-journal"] { unlink(partial + ending) } }
    let target = try DatabaseQueue(path: partial)
    try queue.backup(to: target)
    try target.close()
    try putInPlace(partial, as: copy)
  }
}
