import DAWModel
import Foundation
import GRDB

/// The journal's tables, within a transaction. Append-only.
struct Journal {
  let database: Database

  /// As far as every reader of JSON counts exactly.
  private static let lastRevision: Int64 = 1 << 53

  struct State {
    var revision: Int64
    var modifiedDate: Timestamp
    /// The id of the entry whose state the model's tables have.
    var node: Int64
    /// Rows that another program has written since.
    var outsideChanges: Int64
    var limits: JournalLimits
    /// Entries that count against the limits: all but the root and what is folded into it.
    var entryCount: Int
    /// Of their changesets, as they are stored.
    var byteCount: Int64
    var highestEntryID: Int64
  }

  func state() throws -> State {
    let row = try required(
      Row.fetchOne(
        database.cachedStatement(
          sql: """
            SELECT revision, modifiedDate, node, outsideChanges, maximumCount, maximumAge, maximumBytes, entryCount,
              byteCount, (SELECT max(entryID) FROM journalEntry) FROM journalState
            """)), "the journal's state")
    return State(
      revision: try row.number(atIndex: 0, in: -1...Self.lastRevision, "the journal's revision"),
      modifiedDate: try row.timestamp(atIndex: 1, "the journal's date"), node: try row.decode(atIndex: 2),
      outsideChanges: try row.decode(atIndex: 3),
      limits: JournalLimits(
        count: try limit(row, 4).map(Int.init), age: try limit(row, 5), bytes: try limit(row, 6)),
      entryCount: Int(try row.number(atIndex: 7, in: 0...(.max), "the journal's count of entries")),
      byteCount: try row.number(atIndex: 8, in: 0...(.max), "the journal's size"),
      highestEntryID: try row.decode(Int64?.self, atIndex: 9) ?? 0)
  }

  private func limit(_ row: Row, _ index: Int) throws -> Int64? {
    try row.decode(Int64?.self, atIndex: index).map { _ in
      try row.number(atIndex: index, in: 1...(.max), "a limit of the journal")
    }
  }

  /// Tells the triggers that watch for other programs whose writes these are.
  func setWriting(_ isWriting: Bool) throws {
    try database.cachedStatement(sql: "UPDATE journalState SET isWriting = ?").execute(arguments: [isWriting])
  }

  /// Appends an entry, moves the state to it, and prunes what passes the limits.
  func append(_ entry: JournalEntry, _ changeset: Changeset) throws { try append(entry, changeset.stored()) }

  /// The same, of a changeset that is compressed already.
  func append(_ entry: JournalEntry, _ changeset: StoredChangeset) throws {
    let size = try insert(entry, changeset)
    let node = try entry.node { try self.entry(withID: $0)?.parent ?? 0 }
    let counts = entry.kind != .create
    try database.cachedStatement(
      sql: """
        UPDATE journalState SET revision = ?, modifiedDate = max(modifiedDate, ?), node = ?, outsideChanges = 0,
          entryCount = entryCount + ?, byteCount = byteCount + ?
        """
    ).execute(arguments: [entry.revision, entry.date.milliseconds, node, counts ? 1 : 0, counts ? size : 0])
    // Not while somebody goes back: no step of an undo may take the next one away.
    if entry.kind.makesState { try prune(at: entry.date) }
  }

  /// - Returns: the size of the changeset as it is stored.
  @discardableResult
  func insert(_ entry: JournalEntry, _ changeset: StoredChangeset) throws -> Int {
    guard entry.revision <= Self.lastRevision else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the journal has no revision behind its last one")
    }
    let statement = try database.cachedStatement(
      sql: """
        INSERT INTO journalEntry (revision, entryID, parent, target, kind, schemaVersion, date, author, summary,
          commandLine, isCompressed, changeset) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    try ConnectionLimits.allowingChangesets(database) {
      try statement.execute(arguments: [
        entry.revision, entry.id, entry.parent, entry.target, entry.kind.rawValue, entry.schemaVersion,
        entry.date.milliseconds, entry.author, entry.summary, entry.commandLine, changeset.isCompressed,
        Data(changeset.bytes),
      ])
    }
    return changeset.bytes.count
  }

  private static let columns =
    "revision, entryID, parent, target, kind, schemaVersion, date, author, summary, commandLine"

  private func make(_ row: Row) throws -> JournalEntry {
    JournalEntry(
      revision: try row.number(atIndex: 0, in: 0...Self.lastRevision, "a journal entry's revision"),
      id: try row.decode(atIndex: 1), parent: try row.decode(atIndex: 2),
      target: try row.decode(atIndex: 3),
      kind: try required(JournalEntry.Kind(rawValue: row.decode(atIndex: 4)), "a journal entry's kind"),
      schemaVersion: try row.decode(atIndex: 5), date: try row.timestamp(atIndex: 6, "a journal entry's date"),
      author: try row.decode(atIndex: 7), summary: try row.decode(atIndex: 8), commandLine: try row.decode(atIndex: 9))
  }

  func entry(withID id: Int64) throws -> JournalEntry? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(Self.columns) FROM journalEntry WHERE entryID = ?"), arguments: [id]
    ).map(make)
  }

  /// Newest first.
  func entries() throws -> [JournalEntry] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(Self.columns) FROM journalEntry ORDER BY revision DESC")
    ).map(make)
  }

  /// Those after a revision, oldest first.
  func entries(after revision: Int64) throws -> [JournalEntry] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(Self.columns) FROM journalEntry WHERE revision > ? ORDER BY revision"),
      arguments: [revision]
    ).map(make)
  }

  func changeset(ofRevision revision: Int64) throws -> Changeset {
    let statement = try database.cachedStatement(
      sql: "SELECT isCompressed, changeset FROM journalEntry WHERE revision = ?")
    let row = try required(
      ConnectionLimits.allowingChangesets(database) { try Row.fetchOne(statement, arguments: [revision]) },
      "entry \(revision) of the journal")
    let stored = StoredChangeset(
      bytes: [UInt8](try row.decode(Data.self, atIndex: 1)), isCompressed: try row.decode(atIndex: 0))
    return try required(Changeset(stored), "the changeset of entry \(revision)")
  }

  /// What `redo` would bring back: the newest edit undone from the present state, unless a later one has replaced it.
  func redoTarget(of state: State) throws -> JournalEntry? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT target FROM journalEntry AS undone WHERE kind = 'undo'
            AND (SELECT parent FROM journalEntry WHERE entryID = undone.target) = ?
            AND revision > (SELECT coalesce(max(revision), 0) FROM journalEntry
              WHERE kind NOT IN ('undo', 'redo', 'identity'))
          ORDER BY revision DESC LIMIT 1
          """), arguments: [state.node])
    guard let row else { return nil }
    return try entry(withID: row.decode(atIndex: 0))
  }
}
