import DAWModel

/// The journal as a tree of states. The path from the root to the head makes the current state.
struct History {
  /// Newest first.
  private let entries: [JournalEntry]
  private let byID: [Int64: JournalEntry]
  /// The ids of the entries on the path from the root to the head.
  private let applied: Set<Int64>
  /// The ids of the edits that `redo` would reapply.
  private let redoable: Set<Int64>

  init(_ entries: [JournalEntry], state: Journal.State) {
    self.entries = entries
    byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
    var applied: Set<Int64> = []
    var id = state.head
    while let entry = byID[id], applied.insert(id).inserted { id = entry.parent }
    self.applied = applied
    redoable = Self.redoable(entries, byID, from: state.head)
  }

  /// Follows the undos since the newest edit, from state to state.
  private static func redoable(
    _ entries: [JournalEntry], _ byID: [Int64: JournalEntry], from head: Int64
  ) -> Set<Int64> {
    let undone = entries.prefix { !$0.kind.makesState }
      .filter { $0.kind == .undo }.compactMap { $0.target.flatMap { byID[$0] } }
    var result: Set<Int64> = []
    var head = head
    while let next = undone.first(where: { $0.parent == head && !result.contains($0.id) }) {
      result.insert(next.id)
      head = next.id
    }
    return result
  }

  /// An author's newest edit that is applied and not reverted.
  func newestApplied(by author: String) -> JournalEntry? {
    let reverted = Set(entries.filter { $0.kind == .revert && applied.contains($0.id) }.compactMap(\.target))
    return entries.first {
      $0.author == author && [.do, .merge].contains($0.kind) && applied.contains($0.id) && !reverted.contains($0.id)
    }
  }

  /// The applied edits after `target`, oldest first, without edits that were reverted and their reverts, which cancel
  /// out.
  func uncancelledEdits(after target: JournalEntry) -> [JournalEntry] {
    let later = edits(after: target)
    let ids = Set(later.map(\.id))
    let cancelled = later.filter { $0.kind == .revert }.flatMap { revert in
      revert.target.map { ids.contains($0) ? [revert.id, $0] : [] } ?? []
    }
    return later.filter { !cancelled.contains($0.id) }
  }

  /// The applied edits after `target`, oldest first: one step of undo each.
  func edits(after target: JournalEntry) -> [JournalEntry] {
    path.filter { $0.kind != .identity && $0.revision > target.revision }
  }

  /// The entries whose changesets in sequence make the current state. Oldest first.
  var path: [JournalEntry] {
    entries.reversed().filter { $0.kind == .identity || $0.kind.makesState && applied.contains($0.id) }
  }

  /// The entries that neither the current state nor undo nor redo needs. Oldest first.
  var abandoned: [JournalEntry] {
    let newestState = entries.first { $0.kind.makesState }?.revision ?? 0
    return entries.reversed().filter { entry in
      switch entry.kind {
      case .undo, .redo: entry.revision < newestState
      case .identity: false
      default: !applied.contains(entry.id) && !redoable.contains(entry.id)
      }
    }
  }

  func listing(includesAll: Bool) -> [(entry: JournalEntry, status: JournalStatus)] {
    entries.compactMap { entry in
      switch entry.kind {
      case .undo, .redo, .identity: return includesAll ? (entry, .applied) : nil
      default:
        if applied.contains(entry.id) { return (entry, .applied) }
        if redoable.contains(entry.id) { return (entry, .undone) }
        return includesAll ? (entry, .abandoned) : nil
      }
    }
  }
}
