import DAWModel
import GRDB

extension ProjectStore {
  /// Records what another program has written since the newest entry, so that the journal leads to what the file holds.
  ///
  /// The state that the journal leads to is made again in memory from its entries, and compared with the file.
  func recordOutsideChanges(in database: Database) throws {
    let journal = Journal(database: database)
    let state = try journal.state()
    guard state.outsideChanges > 0 else { return }
    let changeset = try differenceFromJournal(database)
    guard !changeset.isEmpty else {
      return try database.execute(sql: "UPDATE journalState SET outsideChanges = 0")
    }
    let entry = makeEntry(
      .outside, after: state, origin: EditOrigin(author: "unknown", commandLine: ""),
      summary: "Another program wrote \(state.outsideChanges == 1 ? "1 row" : "\(state.outsideChanges) rows")")
    try journal.append(entry, changeset)
  }

  /// What turns the state that the journal leads to into the one that the file has.
  ///
  /// Another connection reads the file, which nobody can write meanwhile: the caller holds the write lock.
  func differenceFromJournal(_ database: Database) throws -> Changeset {
    let replay = try replayed(from: database)
    return try replay.writeWithoutTransaction { replay in
      guard path != ":memory:" else { return Changeset(bytes: []) }
      try replay.execute(sql: "ATTACH ? AS file", arguments: [path])
      defer { try? replay.execute(sql: "DETACH file") }
      return try Changeset.difference(in: replay, from: "main", to: "file")
    }
  }

  /// A database in memory that holds what the journal leads to.
  private func replayed(from database: Database) throws -> DatabaseQueue {
    let replay = try DatabaseQueue(configuration: Self.configuration())
    let journal = Journal(database: database)
    let entries = try journal.entries(after: -1)
    try replay.writeWithoutTransaction { replay in
      try replay.execute(sql: Schema.version1)
      try Migrator.migrate(replay)
      for entry in entries {
        do {
          try replay.inTransaction {
            try journal.changeset(ofRevision: entry.revision).apply(to: replay)
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
