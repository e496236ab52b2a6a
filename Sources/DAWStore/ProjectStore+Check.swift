import CSQLiteSession
import DAWModel
import GRDB

extension ProjectStore {
  /// What SQLite finds wrong with the file's structure, in its own words.
  public func damages() throws -> [String] {
    try reading { database in
      try requireShortValues(database)
      // A check of a table computes what its constraints and indexes say: ours only.
      let checks =
        watch.foreignTables.isEmpty
        ? ["PRAGMA integrity_check"]
        : migrator.tables(ofVersion: migrator.currentVersion).sorted().map { "PRAGMA integrity_check(\($0))" }
      return try ConnectionLimits.allowingChangesets(database) {
        try checks.flatMap { try String.fetchAll(database, sql: $0) }.filter { $0 != "ok" }
      }
    }
  }

  /// Another program's tables in the file, which daw leaves alone.
  public func foreignTables() throws -> [String] { try reading { _ in watch.foreignTables } }

  /// Reads every text and blob but the changesets, so that one of hundreds of megabytes is refused before it is worked with.
  private func requireShortValues(_ database: Database) throws {
    for table in migrator.tables(ofVersion: migrator.currentVersion).sorted() {
      let columns = try String.fetchAll(
        database, sql: "SELECT name FROM pragma_table_info(?) WHERE type IN ('TEXT', 'BLOB') AND name <> 'changeset'",
        arguments: [table])
      guard !columns.isEmpty else { continue }
      let condition = columns.map { "\($0) IS 0" }.joined(separator: " OR ")
      do {
        try database.execute(sql: "SELECT count(*) FROM \(table) WHERE \(condition)")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_TOOBIG {
        throw DatabaseError(resultCode: .SQLITE_TOOBIG, message: "in the table \(table)")
      }
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
        try watch.begin(database)
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
