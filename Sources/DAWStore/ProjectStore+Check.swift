import DAWModel
import GRDB

extension ProjectStore {
  /// Damage that SQLite's integrity check finds, in SQLite's words.
  public func damages() throws -> [String] {
    try reading { database in
      try requireShortValues(database)
      // A check of a table evaluates its constraints and indexes, so only daw's tables are checked.
      let checks =
        connectionGuard.foreignTables.isEmpty
        ? ["PRAGMA integrity_check"]
        : migrator.tables(ofVersion: migrator.currentVersion).sorted().map { "PRAGMA integrity_check(\($0))" }
      let damages = try ConnectionLimits.allowingChangesets(database) {
        try checks.flatMap { try String.fetchAll(database, sql: $0) }.filter { $0 != "ok" }
      }
      if !damages.isEmpty, let readError = database.readError { throw readError }
      return damages
    }
  }

  /// Tables of other programs in the file, which daw ignores.
  public func foreignTables() throws -> [String] { try reading { _ in connectionGuard.foreignTables } }

  /// Reads every text and blob except changesets, to refuse values of hundreds of megabytes early.
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

  /// Whether the file cannot be written only because the disk is full.
  public var lacksRoom: Bool {
    if case .readWrite = access { return false }
    return FileSystem.reasonNotToWrite(path) == FileSystem.fullDisk
  }

  /// Runs `body` while no other process can write.
  public func holdingWriteLock<T>(_ body: (ProjectView) throws -> T) throws -> T {
    try write { (.rollback, try body(ProjectView(database: $0))) }
  }

  /// The absolute and relative paths of all media in the project and in every state that undo or redo can reach.
  public func mediaPathsInHistory() throws -> Set<String> {
    let database = queue
    return try translatingErrors(path) {
      try database.unsafeReentrantRead { database in
        try database.distinguishingReadErrors {
          try connectionGuard.begin(database)
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
}

extension Changeset {
  /// The paths of media rows that were inserted, updated or deleted.
  func mediaPaths() throws -> Set<String> {
    var paths: Set<String> = []
    try bytes.withUnsafeBytes { bytes in
      var reader = ChangesetReader(bytes: bytes)
      while let row = try reader.nextValues(ofTables: { $0 == "audioFile" || $0 == "soundFont" }) {
        for values in [row.old, row.new] {
          // Their second column is the path, and their third the relative path.
          for case .text(let path)? in values.dropFirst().prefix(2) { paths.insert(path) }
        }
      }
    }
    return paths
  }
}
