import DAWModel
import GRDB

extension Journal {
  /// Prunes down to nine tenths of the limits when a limit is exceeded, so that pruning is rare.
  func prune(at now: Timestamp) throws {
    let state = try state()
    let cutoff = state.limits.age.map { now.milliseconds - $0 }
    guard try isExceeded(state, cutoff) else { return }
    try prune(
      Excess(
        entries: state.limits.count.map { state.entryCount - ($0 - $0 / 10) } ?? 0,
        bytes: state.limits.bytes.map { state.byteCount - ($0 - $0 / 10) } ?? 0, cutoff: cutoff), state)
  }

  /// Prunes what is older than a time.
  func prune(before time: Timestamp) throws {
    let state = try state()
    guard try isExceeded(state, time.milliseconds) else { return }
    try prune(Excess(entries: 0, bytes: 0, cutoff: time.milliseconds), state)
  }

  private func prune(_ excess: Excess, _ state: State) throws {
    var excess = excess
    let history = try History(entries(), state: state)
    let sizes = try sizes()
    for entry in history.abandoned where excess.takes(entry, size: sizes[entry.revision] ?? 0) {
      try delete(entry)
    }
    try fold(
      history.path.prefix { [.create, .base].contains($0.kind) || excess.takes($0, size: sizes[$0.revision] ?? 0) })
    try database.execute(
      sql: """
        UPDATE journalState SET (entryCount, byteCount) = (SELECT count(*), coalesce(sum(length(changeset)), 0)
          FROM journalEntry WHERE kind NOT IN ('create', 'base'))
        """)
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

  private func delete(_ entry: JournalEntry) throws {
    try database.cachedStatement(sql: "DELETE FROM journalEntry WHERE revision = ?").execute(arguments: [entry.revision]
    )
  }

  /// Folds the oldest entries into one, or into one for each schema version: the changesets of different versions have
  /// different columns and cannot be joined.
  private func fold(_ path: some Collection<JournalEntry>) throws {
    for (version, run) in Dictionary(grouping: path, by: \.schemaVersion).sorted(by: { $0.key < $1.key }) {
      guard run.count > 1, let last = run.last(where: \.kind.makesState),
        let first = run.first(where: \.kind.makesState)
      else { continue }
      let folded = run.filter { $0.revision <= last.revision }
      let changeset = try Changeset.joining(folded.map { try self.changeset(ofRevision: $0.revision) })
      for entry in folded { try delete(entry) }
      try insert(
        JournalEntry(
          revision: last.revision, id: last.id, parent: first.parent, target: nil, kind: .base, schemaVersion: version,
          date: last.date, author: last.author, summary: "Everything up to revision \(last.revision)", commandLine: ""),
        changeset.stored())
    }
  }
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
