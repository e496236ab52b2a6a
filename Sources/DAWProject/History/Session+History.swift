import DAWErrors
import DAWModel
import DAWStore

extension Session {
  /// Undoes the newest edits; see `ProjectStore.undo`.
  public func undo(
    _ count: Int, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try failing { try store.undo(count, origin: origin, isTrial: isTrial, ifRevision: expectedRevision) }
  }

  /// Undoes the edits after a revision; see `ProjectStore.undo(toRevision:)`.
  public func undo(
    toRevision revision: Int64, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try failing {
      try store.undo(toRevision: revision, origin: origin, isTrial: isTrial, ifRevision: expectedRevision)
    }
  }

  public func redo(
    _ count: Int, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try failing { try store.redo(count, origin: origin, isTrial: isTrial, ifRevision: expectedRevision) }
  }

  /// Undoes the author's newest edit, unless a later edit depends on it.
  public func undoMine(
    origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try failing {
      try store.undoNewest(of: origin.author, origin: origin, isTrial: isTrial, ifRevision: expectedRevision)
    }
  }

  /// How much history is kept.
  public func journalLimits() throws -> JournalLimits { try failing { try store.journalLimits() } }

  /// Sets how much history is kept, and prunes what exceeds it.
  public func setJournalLimits(_ limits: JournalLimits) throws { try failing { try store.setJournalLimits(limits) } }

  /// What the edit of a revision changed, by default of the newest.
  /// - Parameter limit: see `ChangeDescriber.report`.
  /// - Throws: `Failure`.
  public func edit(ofRevision revision: Int64?, limit: Int?) throws -> (line: JournalLine, report: ChangeReport) {
    try read { view in
      let entry = try view.entry(ofRevision: revision ?? view.revision())
      let changes = try view.changes(of: entry)
      return (
        JournalLine(entry),
        try ChangeDescriber(view).report(
          changes, of: entry.revision...entry.revision, limit: limit)
      )
    }
  }

  /// What differs between the states of two revisions, by default from the first to now.
  /// - Parameter limit: see `ChangeDescriber.report`.
  /// - Throws: `Failure`.
  public func difference(
    from first: Int64, to second: Int64?, limit: Int?
  ) throws -> (to: Int64, report: ChangeReport) {
    try read { view in
      let second = try second ?? view.revision()
      let changes = try view.changes(fromRevision: first, to: second)
      let revisions = min(first, second)...max(first, second)
      return (second, try ChangeDescriber(view).report(changes, of: revisions, limit: limit))
    }
  }
}

extension Session {
  /// Prunes the history that is older than a time.
  /// - Throws: `Failure`.
  package func pruneHistory(before time: Timestamp) throws { try failing { try store.pruneHistory(before: time) } }

  /// The audio files of regions that undo or redo can bring back.
  /// - Parameter since: of the entries from then on; `nil`: of all.
  /// - Throws: `Failure`.
  package func audioFilesInHistory(since: Timestamp?) throws -> Set<AudioFileID> {
    try failing { try store.audioFilesInHistory(since: since) }
  }
}
