import DAWModel
import GRDB

extension ProjectStore {
  /// Records what another program has written since the newest entry, so that the journal leads to the file's state.
  ///
  /// Replays the journal in memory and compares the result with the file. That is done only if the schema's triggers
  /// have counted such a write.
  func recordExternalWrites(in database: Database) throws {
    guard try Journal(database: database).state().externalWrites > 0 else { return }
    _ = try recordDifference(in: database)
  }

  /// Records noticed writes of other programs in a transaction of its own, so that the record is kept even if the edit
  /// that follows is refused.
  func recordNoticedExternalWrites() throws {
    guard case .readWrite = access,
      try reading({ try Journal(database: $0).state().externalWrites }) > 0
    else { return }
    try write { database in
      try requireSchema(database)
      try recordExternalWrites(in: database)
      return (.commit, ())
    }
  }

  /// Compares the file with the state that the journal leads to, even if no trigger has counted a write: another
  /// program may have turned triggers off. Records the difference.
  /// - Returns: the entry, or `nil` if nothing differs.
  public func recordExternalWrites() throws -> JournalEntry? {
    try write { database in
      try requireSchema(database)
      return (.commit, try recordDifference(in: database))
    }
  }

  private func recordDifference(in database: Database) throws -> JournalEntry? {
    let journal = Journal(database: database)
    let state = try journal.state()
    let changeset = try differenceFromJournal(database)
    guard !changeset.isEmpty else {
      try database.execute(sql: "UPDATE journalState SET outsideChanges = 0")
      return nil
    }
    let count = try changeset.operationCount()
    let entry = makeEntry(
      .externalWrite, after: state, origin: EditOrigin(author: "unknown", commandLine: ""),
      summary: "Another program changed \(count == 1 ? "1 row" : "\(count) rows")")
    try journal.append(entry, changeset)
    return entry
  }

  /// The changes that turn the state that the journal leads to into the file's.
  ///
  /// Another connection reads the file. No other process can write it meanwhile: the caller holds the write lock, and
  /// has not changed the model's tables. A project in memory has no other connections.
  func differenceFromJournal(_ database: Database) throws -> Changeset {
    guard path != ":memory:" else { return Changeset(bytes: []) }
    let replay = try replayed(from: database)
    return try replay.writeWithoutTransaction { replay in
      try replay.execute(sql: "ATTACH ? AS file", arguments: [path])
      defer { try? replay.execute(sql: "DETACH file") }
      return try Changeset.difference(of: migrator.modelTables, in: replay, from: "main", to: "file")
    }
  }

  /// A database in memory with the state that the journal leads to. Foreign keys and checks are off in it, since the
  /// journal contains what another program wrote with them off.
  func replayed(from database: Database) throws -> DatabaseQueue {
    var configuration = Self.configuration()
    configuration.foreignKeysEnabled = false
    let replay = try DatabaseQueue(configuration: configuration)
    let journal = Journal(database: database)
    let path = try History(journal.entries(), state: journal.state()).path
    try replay.writeWithoutTransaction { replay in
      // Triggers are off while a changeset is applied, and nothing else is done to it.
      try migrator.makeSchema(replay, hasTriggers: false)
      try replay.execute(sql: "PRAGMA ignore_check_constraints = ON")
      // Rows are found by id only; updating other indexes would cost time for nothing.
      for index in try String.fetchAll(
        replay, sql: "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
      { try replay.execute(sql: "DROP INDEX \(index)") }
      for entry in path {
        do {
          try replay.inTransaction {
            try journal.changeset(ofRevision: entry.revision).apply(to: replay, tables: migrator.modelTables)
            return .commit
          }
        } catch let conflict as ChangesetConflict {
          throw StoreError.journalDoesNotFit(revision: entry.revision, detail: conflict.detail)
        }
      }
    }
    return replay
  }
}
