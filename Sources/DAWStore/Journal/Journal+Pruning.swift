import DAWModel
import GRDB

extension Journal {
  /// Prunes down to nine tenths of a limit when that is exceeded, so that pruning is rare. The other limits take nothing.
  func prune(at now: Timestamp) throws {
    let state = try state()
    let cutoff = state.limits.age.map { now.milliseconds - $0 }
    guard try isExceeded(state, cutoff) else { return }
    try prune(
      Excess(
        entries: Self.excess(state.entryCount, over: state.limits.count),
        bytes: Self.excess(state.byteCount, over: state.limits.bytes), cutoff: cutoff), state)
  }

  private static func excess<Number: BinaryInteger>(_ number: Number, over limit: Number?) -> Number {
    guard let limit, number > limit else { return 0 }
    return number - (limit - limit / 10)
  }

  /// What is to be pruned first of what is older than a time: a slice that holds a lock for a short time only.
  /// - Returns: `nil` if there is nothing.
  func slice(before time: Timestamp) throws -> Pruning? {
    let state = try state()
    guard try isExceeded(state, time.milliseconds) else { return nil }
    let all = try pruning(Excess(entries: 0, bytes: 0, cutoff: time.milliseconds), state, limit: Self.sliceLimit)
    return all.count > 0 ? all : nil
  }

  private static let sliceLimit = (entries: 500, bytes: Int64(4 << 20))

  private func prune(_ excess: Excess, _ state: State) throws {
    let pruning = try pruning(excess, state)
    try carryOut(pruning, try pruning.folds.map(folded))
  }

  /// - Parameter limit: at most so many entries, and so many bytes of their changesets.
  private func pruning(
    _ excess: Excess, _ state: State, limit: (entries: Int, bytes: Int64) = (.max, .max)
  ) throws -> Pruning {
    var excess = excess
    let history = try History(entries(), state: state)
    let sizes = try sizes()
    let abandoned = history.abandoned.filter { excess.takes($0, size: sizes[$0.revision] ?? 0) }
    var removed = abandoned.prefix(limit.entries).map(\.revision)
    var room = limit
    room.entries -= removed.count
    // The entry that the others are folded into is not counted.
    let path = history.path.prefix { entry in
      if [.create, .base].contains(entry.kind) { return true }
      let size = sizes[entry.revision] ?? 0
      guard room.entries > 0, room.bytes > 0, excess.takes(entry, size: size) else { return false }
      room.entries -= 1
      room.bytes -= size
      return true
    }
    removed.sort()
    return Pruning(removed: removed, folds: Self.folds(path))
  }

  /// - Parameter changesets: of the folds.
  func carryOut(_ pruning: Pruning, _ changesets: [StoredChangeset]) throws {
    // Not counted anew: that would read the whole journal while other processes wait.
    var (entryCount, byteCount) = (0, Int64(0))
    for revision in pruning.removed + pruning.folds.flatMap(\.revisions) {
      if let size = try countedSize(revision) {
        entryCount += 1
        byteCount += size
      }
      try delete(revision)
    }
    for (fold, changeset) in zip(pruning.folds, changesets) {
      try insert(
        JournalEntry(
          revision: fold.last.revision, id: fold.last.id, parent: fold.parent, target: nil, kind: .base,
          schemaVersion: fold.last.schemaVersion, date: fold.last.date, author: fold.last.author,
          summary: "Everything up to revision \(fold.last.revision)", commandLine: ""), changeset)
    }
    try database.execute(
      sql: "UPDATE journalState SET entryCount = max(0, entryCount - ?), byteCount = max(0, byteCount - ?)",
      arguments: [entryCount, byteCount])
  }

  /// The size of an entry's changeset; `nil` if the entry does not count against the limits.
  private func countedSize(_ revision: Int64) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT length(changeset) FROM journalEntry WHERE revision = ? AND kind NOT IN ('create', 'base')"),
      arguments: [revision])
  }

  /// How much is still to be pruned.
  private struct Excess {
    var entries: Int
    var bytes: Int64
    var cutoff: Int64?

    /// Whether an entry must be pruned; if so, subtracts it.
    mutating func takes(_ entry: JournalEntry, size: Int64) -> Bool {
      guard entries > 0 || bytes > 0 || cutoff.map({ entry.date.milliseconds < $0 }) == true else { return false }
      entries -= 1
      bytes -= size
      return true
    }
  }

  private func isExceeded(_ state: State, _ cutoff: Int64?) throws -> Bool {
    if let count = state.limits.count, state.entryCount > count { return true }
    if let bytes = state.limits.bytes, state.byteCount > bytes { return true }
    guard let cutoff else { return false }
    let oldest = try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT date FROM journalEntry WHERE kind NOT IN ('create', 'base') ORDER BY revision LIMIT 1"))
    return oldest.map { $0 < cutoff } ?? false
  }

  /// The sizes of stored changesets, by revision.
  private func sizes() throws -> [Int64: Int64] {
    let rows = try Row.fetchCursor(database, sql: "SELECT revision, length(changeset) FROM journalEntry")
    var sizes: [Int64: Int64] = [:]
    while let row = try rows.next() { sizes[try row.decode(atIndex: 0)] = try row.decode(atIndex: 1) }
    return sizes
  }

  private func delete(_ revision: Int64) throws {
    try database.cachedStatement(sql: "DELETE FROM journalEntry WHERE revision = ?").execute(arguments: [revision])
  }

  /// The oldest entries become one, or one for each schema version: the changesets of different versions have different
  /// columns and cannot be joined.
  private static func folds(_ path: some Collection<JournalEntry>) -> [Pruning.Fold] {
    Dictionary(grouping: path, by: \.schemaVersion).sorted { $0.key < $1.key }.compactMap { _, run in
      guard run.count > 1, let last = run.last(where: \.kind.makesState),
        let first = run.first(where: \.kind.makesState)
      else { return nil }
      let revisions = run.map(\.revision).filter { $0 <= last.revision }
      return revisions.count > 1 ? Pruning.Fold(revisions: revisions, last: last, parent: first.parent) : nil
    }
  }

  /// The changeset of what entries did together.
  func folded(_ fold: Pruning.Fold) throws -> StoredChangeset {
    // An entry that takes an older version's edit back has the columns of that version.
    let layout = try TableLayout(of: database)
    return try Changeset.joining(fold.revisions.map { try changeset(ofRevision: $0).widened(to: layout) }).stored()
  }
}

/// What is removed from the journal.
struct Pruning: Equatable {
  /// Entries that become one.
  struct Fold: Equatable {
    var revisions: [Int64]
    var last: JournalEntry
    var parent: Int64
  }

  /// The revisions of abandoned entries.
  var removed: [Int64]
  var folds: [Fold]

  /// By how many there are fewer entries.
  var count: Int { removed.count + folds.reduce(0) { $0 + $1.revisions.count - 1 } }
}

extension ProjectStore {
  public func journalLimits() throws -> JournalLimits {
    try reading { try Journal(database: $0).state().limits }
  }

  /// Sets how much history is kept, and prunes what exceeds it.
  /// - Parameter limits: each greater than 0, or `nil` for no limit.
  public func setJournalLimits(_ limits: JournalLimits) throws {
    try write { database in
      try requireSchema(database)
      try database.execute(
        sql: "UPDATE journalState SET maximumCount = ?, maximumAge = ?, maximumBytes = ?",
        arguments: [limits.count, limits.age, limits.bytes])
      try Journal(database: database).prune(at: clock())
      return (.commit, ())
    }
  }
}
