import DAWModel
import GRDB

extension ProjectStore {
  /// Records what another program has written since the newest entry, so that the journal leads to what the file holds.
  ///
  /// The state that the journal leads to is made again in memory from its entries, and compared with the file. That is
  /// done only where the schema's triggers have seen such a write.
  func recordOutsideChanges(in database: Database) throws {
    guard try Journal(database: database).state().outsideChanges > 0 else { return }
    _ = try recordDifference(in: database)
  }

  /// The same as an edit of its own, so that it stays even where the edit that comes next is refused.
  func recordNoticedOutsideChanges() throws {
    guard case .readWrite = access,
      try reading({ try Journal(database: $0).state().outsideChanges }) > 0
    else { return }
    try write { database in
      try requireSchema(database)
      try recordOutsideChanges(in: database)
      return (.commit, ())
    }
  }

  /// Compares the file with what the journal leads to, also where nobody has noticed a write: another program may have
  /// switched triggers off. What differs is recorded.
  /// - Returns: the entry, or `nil` where nothing differs.
  public func recordOutsideChanges() throws -> JournalEntry? {
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
      .outside, after: state, origin: EditOrigin(author: "unknown", commandLine: ""),
      summary: "Another program changed \(count == 1 ? "1 row" : "\(count) rows")")
    try journal.append(entry, changeset)
    return entry
  }

  /// What turns the state that the journal leads to into the one that the file has.
  ///
  /// Another connection reads the file, which nobody can write meanwhile: the caller holds the write lock, and has not
  /// changed the model's tables. Nobody else can write a project in memory.
  func differenceFromJournal(_ database: Database) throws -> Changeset {
    guard path != ":memory:" else { return Changeset(bytes: []) }
    let replay = try replayed(from: database)
    return try replay.writeWithoutTransaction { replay in
      try replay.execute(sql: "ATTACH ? AS file", arguments: [path])
      defer { try? replay.execute(sql: "DETACH file") }
      return try Changeset.difference(of: migrator.modelTables, in: replay, from: "main", to: "file")
    }
  }

  /// A database in memory that holds what the journal leads to. References and checks are off in it: what another program
  /// did with them off is part of the journal.
  func replayed(from database: Database) throws -> DatabaseQueue {
    var configuration = Self.configuration()
    configuration.foreignKeysEnabled = false
    let replay = try DatabaseQueue(configuration: configuration)
    let journal = Journal(database: database)
    let path = try History(journal.entries(), state: journal.state()).path
    try replay.writeWithoutTransaction { replay in
      try replay.execute(sql: Schema.version1 + "PRAGMA ignore_check_constraints = ON")
      try migrator.migrate(replay)
      // Rows are found by their ids alone; an index would only have to be kept up.
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
