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

  /// Newest first; see `ProjectStore.history`.
  public func history(includesAll: Bool) throws -> [(entry: JournalEntry, status: JournalStatus)] {
    try failing { try store.history(includesAll: includesAll) }
  }
}
