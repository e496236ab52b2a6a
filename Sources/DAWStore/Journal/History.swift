import DAWModel

/// The journal as a tree of states, and the way from its root to the present one.
struct History {
  /// Newest first.
  private let entries: [JournalEntry]
  private let byID: [Int64: JournalEntry]
  /// The entries whose states lead to the present one.
  private let applied: Set<Int64>
  /// The edits that `redo` would bring back.
  private let redoable: Set<Int64>

  init(_ entries: [JournalEntry], state: Journal.State) {
    self.entries = entries
    byID = Dictionary(entries.map { ($0.id, $0) }) { first, _ in first }
    var applied: Set<Int64> = []
    var node = state.node
    while let entry = byID[node], applied.insert(node).inserted { node = entry.parent }
    self.applied = applied
    redoable = Self.redoable(entries, byID, from: state.node)
  }

  /// Follows the undos since the newest edit from state to state.
  private static func redoable(
    _ entries: [JournalEntry], _ byID: [Int64: JournalEntry], from node: Int64
  ) -> Set<Int64> {
    let undone = entries.prefix { !$0.kind.makesState }
      .filter { $0.kind == .undo }.compactMap { $0.target.flatMap { byID[$0] } }
    var result: Set<Int64> = []
    var node = node
    while let next = undone.first(where: { $0.parent == node && !result.contains($0.id) }) {
      result.insert(next.id)
      node = next.id
    }
    return result
  }

  /// The newest edit of an author that is in force, and was not taken back by a revert.
  func newestApplied(by author: String) -> JournalEntry? {
    let reverted = Set(entries.filter { $0.kind == .revert && applied.contains($0.id) }.compactMap(\.target))
    return entries.first {
      $0.author == author && [.do, .merge].contains($0.kind) && applied.contains($0.id) && !reverted.contains($0.id)
    }
  }

  /// The edits in force that came after one of them, oldest first. One that was taken back by a revert is left out, and so is
  /// that revert: together they change nothing.
  func standing(after target: JournalEntry) -> [JournalEntry] {
    let later = edits(after: target)
    let ids = Set(later.map(\.id))
    let cancelled = later.filter { $0.kind == .revert }.flatMap { revert in
      revert.target.map { ids.contains($0) ? [revert.id, $0] : [] } ?? []
    }
    return later.filter { !cancelled.contains($0.id) }
  }

  /// The edits in force after one of them, oldest first: as many steps of undo.
  func edits(after target: JournalEntry) -> [JournalEntry] {
    path.filter { $0.kind != .identity && $0.revision > target.revision }
  }

  /// The entries whose changesets, one after the other, make the present state. Oldest first.
  var path: [JournalEntry] {
    entries.reversed().filter { $0.kind == .identity || $0.kind.makesState && applied.contains($0.id) }
  }

  /// What neither the present state nor undo nor redo needs. Oldest first.
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

  func listing(includesAll: Bool) -> [(entry: JournalEntry, standing: JournalStanding)] {
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
