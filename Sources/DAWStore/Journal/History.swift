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
  private let state: Journal.State
  private var head: Int64 { state.head }

  init(_ entries: [JournalEntry], state: Journal.State) {
    self.entries = entries
    self.state = state
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
    /// What was undone last of the edits that were made from a state, by the id of that.
    var undone: [Int64: Int64] = [:]
    for undo in entries.prefix(while: { !$0.kind.makesState }) where undo.kind == .undo {
      guard let edit = undo.target.flatMap({ byID[$0] }), undone[edit.parent] == nil else { continue }
      undone[edit.parent] = edit.id
    }
    var result: Set<Int64> = []
    var head = head
    while let next = undone[head], result.insert(next).inserted { head = next }
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

  /// The entries that made the state of an entry: itself, its parent, and so on to the root.
  private func ancestry(of id: Int64) -> [JournalEntry] {
    var (id, seen, result) = (id, Set<Int64>(), [JournalEntry]())
    while let entry = byID[id], seen.insert(id).inserted {
      result.append(entry)
      id = entry.parent
    }
    return result
  }

  func entry(ofRevision revision: Int64) throws -> JournalEntry {
    guard (0...state.revision).contains(revision) else {
      throw StoreError.revisionNotFound(revision, newest: state.revision)
    }
    if let entry = entries.first(where: { $0.revision == revision }) { return entry }
    let oldest = entries.first { [.base, .create].contains($0.kind) }?.revision ?? 0
    throw revision < oldest ? StoreError.historyFolded(revision: oldest) : StoreError.revisionPruned(revision)
  }

  /// The entry whose state the project had at a revision.
  /// - Throws: `StoreError.revisionNotFound`, `.historyFolded` or `.revisionPruned`.
  private func state(atRevision revision: Int64) throws -> JournalEntry {
    let id = try entry(ofRevision: revision).head { byID[$0]?.parent ?? 0 }
    guard let entry = byID[id] else { throw StoreError.revisionPruned(revision) }
    return entry
  }

  /// How many steps of undo lead to the state of a revision.
  /// - Throws: as `entry(ofRevision:)`; `StoreError.revisionUndone` or `.revisionAbandoned` if none do.
  func undoCount(toRevision revision: Int64) throws -> Int {
    let target = try state(atRevision: revision)
    if let count = ancestry(of: head).firstIndex(where: { $0.id == target.id }) { return count }
    guard redoable.contains(target.id), let steps = ancestry(of: target.id).firstIndex(where: { $0.id == head }) else {
      throw StoreError.revisionAbandoned(revision)
    }
    throw StoreError.revisionUndone(revision, steps: steps)
  }

  /// The way from the state of one revision to that of another: the edits to take back, newest first, then the edits to
  /// make, oldest first.
  /// - Throws: as `entry(ofRevision:)`.
  func way(fromRevision first: Int64, to second: Int64) throws -> (back: [JournalEntry], forth: [JournalEntry]) {
    let old = try ancestry(of: state(atRevision: first).id)
    let new = try ancestry(of: state(atRevision: second).id)
    let shared = Set(old.map(\.id)).intersection(new.map(\.id))
    guard !shared.isEmpty else { throw StoreError.revisionPruned(first) }
    return (old.prefix { !shared.contains($0.id) }.map(\.self), new.prefix { !shared.contains($0.id) }.reversed())
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
