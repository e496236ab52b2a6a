import CSQLiteSession
import DAWModel
import GRDB

extension ProjectStore {
  /// What SQLite finds wrong with the file's structure, in its own words.
  public func damages() throws -> [String] {
    try translatingErrors(path) {
      try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check").filter { $0 != "ok" } }
    }
  }

  /// Whether the file cannot be written only because there is no room on its disk.
  public var lacksRoom: Bool {
    if case .readWrite = access { return false }
    return FileSystem.reasonNotToWrite(path) == FileSystem.fullDisk
  }

  /// Runs `body` while nobody can write.
  public func holdingWriteLock<T>(_ body: () throws -> T) throws -> T { try write { _ in (.rollback, try body()) } }

  /// The paths of all media, absolute and relative, that the project names, or any state that undo or redo can reach.
  public func mediaPathsInHistory() throws -> Set<String> {
    let database = queue
    return try translatingErrors(path) {
      try database.unsafeReentrantRead { database in
        var paths = Set(
          try ["audioFile", "soundFont"].flatMap { table in
            try String.fetchAll(
              database,
              sql: "SELECT path FROM \(table) UNION SELECT relativePath FROM \(table) WHERE relativePath IS NOT NULL")
          })
        let journal = Journal(database: database)
        for entry in try journal.entries() {
          paths.formUnion(try journal.changeset(ofRevision: entry.revision).mediaPaths())
        }
        return paths
      }
    }
  }
}

extension Changeset {
  /// Where the tables of media have their paths.
  private var pathColumn: Int32 { 1 }
  private var relativePathColumn: Int32 { 2 }

  /// The paths of media rows that were added, changed or removed.
  func mediaPaths() throws -> Set<String> {
    var paths: Set<String> = []
    try forEachOperation { iterator in
      var table: UnsafePointer<CChar>?
      var columnCount: Int32 = 0
      var operation: Int32 = 0
      sqlite3changeset_op(iterator, &table, &columnCount, &operation, nil)
      guard let table, ["audioFile", "soundFont"].contains(String(cString: table)) else { return }
      for (get, isThere) in [
        (sqlite3changeset_new, operation != SQLITE_DELETE), (sqlite3changeset_old, operation != SQLITE_INSERT),
      ] where isThere {
        for column in [pathColumn, relativePathColumn] {
          var value: OpaquePointer?
          if get(iterator, column, &value) == SQLITE_OK, let value, let text = sqlite3_value_text(value) {
            paths.insert(String(cString: text))
          }
        }
      }
    }
    return paths
  }
}
