import CSQLiteSession
import DAWModel
import GRDB

extension ProjectStore {
  /// Every edit is made here: one transaction that changes the model's tables and appends the changes to the journal.
  ///
  /// - Parameters:
  ///   - isTrial: makes and checks the edit, then rolls it back.
  ///   - expectedRevision: the edit is refused if the project is at another revision.
  ///   - body: reads and changes the project through the transaction. If it throws, everything is rolled back.
  /// - Throws: `EditError`, `StoreError`, and what `body` throws; the project is as it was.
  public func edit<T>(
    _ origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil,
    _ body: (inout ProjectTransaction) throws -> T
  ) throws -> EditResult<T> {
    if !isTrial { try recordNoticedExternalWrites() }
    return try write { database in
      let (journal, state) = try beginEdit(in: database, ifRevision: expectedRevision)
      let recorder = try ChangeRecorder(of: migrator.modelTables, in: database)
      var transaction = ProjectTransaction(
        database: database, identifiers: identifiers, recordingIDs: recordingIDs, recorder: recorder,
        budget: connectionGuard.budget)
      try journal.setWriting(true)
      let value = try body(&transaction)
      let changeset = try recorder.changeset()
      try transaction.requireRulesOfCommit()
      try journal.setWriting(false)
      guard !isTrial, !changeset.isEmpty else {
        return (changeset.isEmpty && !isTrial ? .commit : .rollback, EditResult(value: value, revision: state.revision))
      }
      let entry = makeEntry(.do, after: state, origin: origin, summary: transaction.summary)
      try journal.append(entry, changeset)
      return (.commit, EditResult(value: value, revision: entry.revision, entry: entry))
    }
  }

  /// Begins every edit, undo and redo, in its transaction: records first what another program has written.
  /// - Returns: the journal, and the state that the edit begins from.
  /// - Throws: `StoreError.newer` if another process has upgraded the file, `.revisionChanged`.
  func beginEdit(
    in database: Database, ifRevision expectedRevision: Int64?
  ) throws -> (journal: Journal, state: Journal.State) {
    let journal = Journal(database: database)
    try requireSchema(database)
    try recordExternalWrites(in: database)
    let state = try journal.state()
    if let expectedRevision, expectedRevision != state.revision {
      throw StoreError.revisionChanged(expected: expectedRevision, found: state.revision)
    }
    return (journal, state)
  }

  /// Refuses where the project cannot be written, also where that has become so since it was opened. For work that
  /// changes files before the project names them. Not within a transaction.
  /// - Throws: `StoreError.readOnly`.
  package func requireWritable() throws {
    if case .readOnly(let reason) = access { throw StoreError.readOnly(path: path, reason: reason) }
    if let reason = FileSystem.reasonNotToWrite(path) { throw StoreError.readOnly(path: path, reason: reason) }
    // SQLite opens for reading what it cannot open for writing, and says so only when something is written.
    let isReadOnly = queue.inDatabase { sqlite3_db_readonly($0.sqliteConnection, "main") == 1 }
    if isReadOnly { throw StoreError.readOnly(path: path, reason: "it could not be opened for writing") }
  }

  /// Runs `body` in a write transaction, which takes the write lock before anything is read.
  /// - Parameter waits: for other writers; else it fails where there is one.
  func write<T>(
    waits: Bool = true, _ body: (Database) throws -> (Database.TransactionCompletion, T)
  ) throws -> T {
    if case .readOnly(let reason) = access { throw StoreError.readOnly(path: path, reason: reason) }
    return try translatingErrors(path) {
      try queue.writeWithoutTransaction { database in
        guard !waits else { return try immediateTransaction(in: database, body) }
        return try connectionGuard.lockWait.turnedOff { try immediateTransaction(in: database, body) }
      }
    }
  }

  private func immediateTransaction<T>(
    in database: Database, _ body: (Database) throws -> (Database.TransactionCompletion, T)
  ) throws -> T {
    var result: T?
    try database.inTransaction(.immediate) {
      try database.distinguishingReadErrors {
        try connectionGuard.begin(database)
        let (completion, value) = try body(database)
        result = value
        return completion
      }
    }
    return try required(result, "the transaction's result")
  }

  func makeEntry(
    _ kind: JournalEntry.Kind, target: Int64? = nil, after state: Journal.State, origin: EditOrigin, summary: String
  ) -> JournalEntry {
    JournalEntry(
      revision: state.revision + 1, id: identifiers.first(above: state.highestEntryID), parent: state.head,
      target: target, kind: kind,
      schemaVersion: migrator.currentVersion, date: clock(), author: origin.author,
      summary: JournalEntry.shortened(summary, to: JournalEntry.maximumSummaryLength), commandLine: origin.commandLine)
  }

  /// Refuses a file that another process has upgraded since it was opened.
  func requireSchema(_ database: Database) throws {
    let version = try Migrator.version(of: database)
    guard version <= migrator.currentVersion else {
      throw StoreError.newer(path: path, found: version, supported: migrator.currentVersion)
    }
  }
}
