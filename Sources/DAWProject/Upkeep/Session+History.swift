import DAWErrors
import DAWModel
import DAWStore

extension Session {
  /// Takes back the newest edits; see `ProjectStore.undo`.
  public func undo(
    _ count: Int, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try failing { try store.undo(count, origin: origin, isTrial: isTrial, ifRevision: expectedRevision) }
  }

  public func redo(
    _ count: Int, origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try failing { try store.redo(count, origin: origin, isTrial: isTrial, ifRevision: expectedRevision) }
  }

  /// Takes back the author's own newest edit, if nothing later depends on it.
  public func undoMine(
    origin: EditOrigin, isTrial: Bool = false, ifRevision expectedRevision: Int64? = nil
  ) throws -> EditResult<[JournalEntry]> {
    try failing {
      try store.undoNewest(of: origin.author, origin: origin, isTrial: isTrial, ifRevision: expectedRevision)
    }
  }

  /// How much history is kept.
  public func journalLimits() throws -> JournalLimits { try failing { try store.journalLimits() } }

  /// Sets how much history is kept, and prunes what is beyond it.
  public func setJournalLimits(_ limits: JournalLimits) throws { try failing { try store.setJournalLimits(limits) } }

  /// Newest first; see `ProjectStore.history`.
  public func history(includesAll: Bool) throws -> [(entry: JournalEntry, standing: JournalStanding)] {
    try failing { try store.history(includesAll: includesAll) }
  }
}
