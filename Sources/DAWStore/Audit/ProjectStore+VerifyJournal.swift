import DAWModel
import GRDB

/// What is wrong with a project's journal.
public enum JournalFinding: Equatable, Sendable {
  /// The file holds something else than the journal leads to: another program wrote it.
  /// - Parameter isNoticed: the next edit records it; where it is not, `ProjectStore.recordOutsideChanges()` does.
  case unrecordedChanges(rows: Int, isNoticed: Bool)
  /// An entry cannot be made again, so that undo does not reach behind it.
  case entryDoesNotFit(revision: Int64, detail: String)
  /// The entries and the journal's own state contradict each other.
  case isInconsistent(detail: String)
}

extension ProjectStore {
  /// Makes the project again from its journal, and compares it with the file. Nothing is changed.
  ///
  /// A file that cannot be written is not compared: nobody can be kept from writing it meanwhile.
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
      let difference = JournalFinding.unrecordedChanges(rows: rows, isNoticed: state.outsideChanges > 0)
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
    if path.last?.id != state.node { details.append("the entry that the project stands at is not there") }
    if let root = path.first, ![.create, .base].contains(root.kind) {
      details.append("what came before entry \(root.revision) is not there")
    }
    return details.map { .isInconsistent(detail: $0) }
  }
}
