import DAWModel
import GRDB

/// A defect of a project's journal.
public enum JournalFinding: Equatable, Sendable {
  /// The file differs from the state that the journal leads to: another program wrote to it.
  /// - Parameter isNoticed: whether a trigger has counted it, so that the next edit records it; otherwise
  ///   `ProjectStore.recordExternalWrites()` does.
  case unrecordedChanges(rows: Int, isNoticed: Bool)
  /// An entry cannot be replayed, so that edits before it cannot be undone.
  case entryDoesNotFit(revision: Int64, detail: String)
  /// The entries and the journal's state contradict each other.
  case isInconsistent(detail: String)
  /// Entries have an author or a summary longer than daw writes.
  /// - Parameter revision: of the first of them.
  case textsAreTooLong(revision: Int64, count: Int)
}

extension ProjectStore {
  /// Replays the journal and compares the result with the file. Nothing is changed.
  ///
  /// A file that cannot be written is not compared, since other processes cannot be locked out meanwhile.
  public func verifyJournal() throws -> [JournalFinding] {
    guard case .readWrite = access else {
      return try reading { database in
        try inconsistencies(database) + replaying { _ = try replayed(from: database) }
      }
    }
    return try write { database in
      let findings = try inconsistencies(database)
      let state = try Journal(database: database).state()
      var rows = 0
      let failures = try replaying { rows = try differenceFromJournal(database).operationCount() }
      let difference = JournalFinding.unrecordedChanges(rows: rows, isNoticed: state.externalWrites > 0)
      return (.rollback, findings + failures + (rows > 0 ? [difference] : []))
    }
  }

  private func replaying(_ body: () throws -> Void) throws -> [JournalFinding] {
    do {
      try body()
      return []
    } catch StoreError.journalDoesNotFit(let revision, let detail) {
      return [.entryDoesNotFit(revision: revision, detail: detail)]
    }
  }

  private func inconsistencies(_ database: Database) throws -> [JournalFinding] {
    let journal = Journal(database: database)
    let state = try journal.state()
    let entries = try journal.entries()
    let path = History(entries, state: state).path.filter(\.kind.makesState)
    var details: [String] = []
    if entries.first?.revision != state.revision {
      details.append("the newest entry is \(entries.first?.revision ?? 0), the project's revision \(state.revision)")
    }
    if path.last?.id != state.head { details.append("the entry of the current state is missing") }
    if let root = path.first, ![.create, .base].contains(root.kind) {
      details.append("the entries before \(root.revision) are missing")
    }
    let texts = try tooLongTexts(database)
    return details.map { JournalFinding.isInconsistent(detail: $0) } + [texts].compactMap { $0 }
  }

  private func tooLongTexts(_ database: Database) throws -> JournalFinding? {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*), min(revision) FROM journalEntry
        WHERE length(author) > ? OR length(summary) > ? OR length(commandLine) > ?
        """,
      arguments: [
        JournalEntry.maximumAuthorLength, JournalEntry.maximumSummaryLength, JournalEntry.maximumCommandLineLength,
      ])
    guard let row, let revision = try row.decode(Int64?.self, atIndex: 1) else { return nil }
    return .textsAreTooLong(revision: revision, count: try row.decode(atIndex: 0))
  }
}
