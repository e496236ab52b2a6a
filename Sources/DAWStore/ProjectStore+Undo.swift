import DAWModel
import GRDB

extension ProjectStore {
  /// Undoes the newest applied edits, newest first.
  /// - Returns: the undone edits.
  /// - Parameter count: at least 1.
  /// - Throws: `StoreError.nothingToUndo`, `.fewerToUndo`, or `.historyFolded` if older edits were folded into one;
  ///   nothing is undone then.
  public func undo(
    _ count: Int = 1, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try steps({ _, _ in count }, isTrial: isTrial, expectedRevision) { try undoStep($0, $1, origin) }
  }

  /// Undoes the newest applied edits down to a revision, so that the project is as it was then.
  /// - Returns: the undone edits; none if the project is as it was at that revision already.
  /// - Throws: `StoreError.revisionNotFound`, `.historyFolded`, `.revisionUndone` or `.revisionAbandoned` if undoing
  ///   does not lead there; nothing is undone then.
  public func undo(
    toRevision revision: Int64, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try steps(
      { journal, state in try History(journal.entries(), state: state).undoCount(toRevision: revision) },
      isTrial: isTrial, expectedRevision
    ) { try undoStep($0, $1, origin) }
  }

  private func undoStep(_ journal: Journal, _ state: Journal.State, _ origin: EditOrigin) throws -> Step {
    guard let target = try journal.entry(withID: state.head), target.kind != .create else {
      throw StoreError.nothingToUndo
    }
    guard target.kind != .base else { throw StoreError.historyFolded(revision: target.revision) }
    let changeset = try journal.changeset(ofRevision: target.revision).inverted()
    let entry = makeEntry(.undo, target: target.id, after: state, origin: origin, summary: "Undid: \(target.summary)")
    return (target, entry, changeset)
  }

  /// Reapplies undone edits, the one undone last first.
  /// - Parameter count: at least 1.
  /// - Throws: `StoreError.nothingToRedo` or `.fewerToRedo`; nothing is redone then.
  public func redo(
    _ count: Int = 1, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    var search = Journal.RedoSearch()
    return try steps(
      { journal, _ in
        search = try journal.redoSearch()
        return count
      }, isTrial: isTrial, expectedRevision
    ) { journal, state in
      guard let target = try journal.redoTarget(of: state, &search) else { throw StoreError.nothingToRedo }
      let changeset = try journal.changeset(ofRevision: target.revision)
      let entry = makeEntry(.redo, target: target.id, after: state, origin: origin, summary: "Redid: \(target.summary)")
      return (target, entry, changeset)
    }
  }

  /// Undoes an author's newest applied edit. Later edits of other authors stay as they are.
  /// - Throws: `StoreError.undoConflict` if a later edit builds on it, `.nothingToUndo`; nothing is undone then.
  public func undoNewest(
    of author: String, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try steps({ _, _ in 1 }, isTrial: isTrial, expectedRevision) { journal, state in
      let history = try History(journal.entries(), state: state)
      guard let target = history.newestApplied(by: author) else { throw StoreError.nothingToUndo }
      let changeset = try journal.changeset(ofRevision: target.revision).inverted()
      let kind: JournalEntry.Kind = target.id == state.head ? .undo : .revert
      var rows = try DependentRows(of: changeset)
      let dependent = try history.uncancelledEdits(after: target).filter {
        try rows.addIfDependent(journal.changeset(ofRevision: $0.revision))
      }
      guard dependent.isEmpty else {
        throw StoreError.undoConflict(
          target, by: dependent, steps: history.edits(after: target).count + 1)
      }
      let entry = makeEntry(kind, target: target.id, after: state, origin: origin, summary: "Undid: \(target.summary)")
      return (target, entry, changeset)
    }
  }

  /// The applied edits and those that `redo` would reapply; newest first.
  /// - Parameter includesAll: the whole journal instead, with abandoned branches, and undos and redos as entries of
  ///   their own.
  public func history(includesAll: Bool = false) throws -> [(entry: JournalEntry, status: JournalStatus)] {
    try read { try $0.history(includesAll: includesAll) }
  }

  /// An edit to undo or redo, the entry that records it, and the changes to make.
  private typealias Step = (target: JournalEntry, entry: JournalEntry, changeset: Changeset)

  /// If the file differs from the journal although no write was counted, records the difference first and tries again.
  /// - Parameter count: how many steps; called in the transaction.
  private func steps(
    _ count: (Journal, Journal.State) throws -> Int, isTrial: Bool, _ expectedRevision: Int64?,
    _ next: (Journal, Journal.State) throws -> Step
  ) throws -> EditResult<[JournalEntry]> {
    if !isTrial { try recordNoticedExternalWrites() }
    do {
      return try attemptSteps(count, isTrial: isTrial, expectedRevision, next)
    } catch let error as StoreError {
      guard !isTrial, case .journalDoesNotFit = error, try recordExternalWrites() != nil else { throw error }
      return try attemptSteps(count, isTrial: isTrial, expectedRevision, next)
    }
  }

  private func attemptSteps(
    _ count: (Journal, Journal.State) throws -> Int, isTrial: Bool, _ expectedRevision: Int64?,
    _ next: (Journal, Journal.State) throws -> Step
  ) throws -> EditResult<[JournalEntry]> {
    try write { database in
      let (journal, state) = try beginEdit(in: database, ifRevision: expectedRevision)
      let count = try count(journal, state)
      let failed = try WorkRows(database: database).failedJobsOfAbsentFiles()
      var targets: [JournalEntry] = []
      var newest: JournalEntry?
      for done in 0..<max(0, count) {
        if done > 0 { connectionGuard.budget.beginCommand() }
        let step: Step
        do {
          step = try next(journal, journal.state())
        } catch StoreError.nothingToUndo where done > 0 {
          throw StoreError.fewerToUndo(asked: count, possible: done)
        } catch StoreError.nothingToRedo where done > 0 {
          throw StoreError.fewerToRedo(asked: count, possible: done)
        }
        do {
          try perform(step.changeset, in: database)
        } catch let conflict as ChangesetConflict {
          let later = try History(journal.entries(), state: journal.state()).edits(after: step.target)
          guard let needing = try edit(of: later, inTheWayOf: step.changeset, in: journal) else {
            throw StoreError.journalDoesNotFit(revision: step.target.revision, detail: conflict.detail)
          }
          throw StoreError.undoConflict(step.target, by: [needing], steps: later.count + 1)
        }
        try journal.append(step.entry, step.changeset)
        targets.append(step.target)
        newest = step.entry
      }
      try FactTables(database: database).retryJobs(failed, at: clock())
      let revision = try journal.state().revision
      return (isTrial ? .rollback : .commit, EditResult(value: targets, revision: revision, entry: newest))
    }
  }

  /// Applies a changeset, unless the result would break a rule.
  /// - Throws: `ChangesetConflict`; nothing is changed then.
  private func perform(_ changeset: Changeset, in database: Database) throws {
    try database.inSavepoint {
      try changeset.apply(to: database, tables: migrator.modelTables)
      if let finding = try Audit(database: database).findings(touchedBy: changeset).first {
        throw ChangesetConflict(detail: finding.violation.description)
      }
      return .commit
    }
  }

  /// Finds the later edit that prevents a changeset from being applied: undoes the newest edits one by one, in a
  /// transaction that is rolled back, until the changeset can be applied.
  /// - Parameter edits: oldest first.
  /// - Returns: the edit undone last; `nil` if undoing all of them does not help.
  private func edit(
    of edits: [JournalEntry], inTheWayOf changeset: Changeset, in journal: Journal
  ) throws -> JournalEntry? {
    for edit in edits.reversed() {
      connectionGuard.budget.beginCommand()
      do {
        try journal.changeset(ofRevision: edit.revision).inverted().apply(
          to: journal.database, tables: migrator.modelTables)
      } catch is ChangesetConflict {
        return nil
      }
      do {
        try perform(changeset, in: journal.database)
        return edit
      } catch is ChangesetConflict {}
    }
    return nil
  }
}
