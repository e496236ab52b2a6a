import DAWModel
import Foundation
import GRDB

/// Access to the journal's tables within a transaction. Append-only.
struct Journal {
  let database: Database

  /// The greatest integer that every JSON parser represents exactly.
  private static let lastRevision: Int64 = 1 << 53

  struct State: Equatable {
    var revision: Int64
    var modifiedDate: Timestamp
    /// The id of the entry whose state the model's tables are in.
    var head: Int64
    /// Rows that another program has written since the newest entry.
    var externalWrites: Int64
    var limits: JournalLimits
    /// Entries that count against the limits: all but the root and folded entries.
    var entryCount: Int
    /// The stored size of their changesets.
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
      modifiedDate: try row.timestamp(atIndex: 1, "the journal's date"), head: try row.decode(atIndex: 2),
      externalWrites: try row.decode(atIndex: 3),
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

  /// Tells the triggers that count other programs' writes whether daw is writing.
  func setWriting(_ isWriting: Bool) throws {
    try database.cachedStatement(sql: "UPDATE journalState SET isWriting = ?").execute(arguments: [isWriting])
  }

  /// Appends an entry, moves the head to its state, and prunes what exceeds the limits.
  func append(_ entry: JournalEntry, _ changeset: Changeset) throws { try append(entry, changeset.stored()) }

  /// Appends an entry as above, with a changeset that is compressed already.
  func append(_ entry: JournalEntry, _ changeset: StoredChangeset) throws {
    let size = try insert(entry, changeset)
    let head = try entry.head { try self.entry(withID: $0)?.parent ?? 0 }
    let counts = entry.kind != .create
    try database.cachedStatement(
      sql: """
        UPDATE journalState SET revision = ?, modifiedDate = max(modifiedDate, ?), node = ?, outsideChanges = 0,
          entryCount = entryCount + ?, byteCount = byteCount + ?
        """
    ).execute(arguments: [entry.revision, entry.date.milliseconds, head, counts ? 1 : 0, counts ? size : 0])
    // Not after an undo: pruning must not remove the entries of its next steps.
    if entry.kind.makesState { try prune(at: entry.date) }
  }

  /// - Returns: the stored size of the changeset.
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

  /// Of texts that another program has made long, one character more than is kept of them.
  private static let columns = """
    revision, entryID, parent, target, kind, schemaVersion, date,
    substr(author, 1, \(JournalEntry.maximumAuthorLength + 1)),
    substr(summary, 1, \(JournalEntry.maximumSummaryLength + 1)),
    substr(commandLine, 1, \(JournalEntry.maximumCommandLineLength + 1))
    """

  private func make(_ row: Row) throws -> JournalEntry {
    JournalEntry(
      revision: try row.number(atIndex: 0, in: 0...Self.lastRevision, "a journal entry's revision"),
      id: try row.decode(atIndex: 1), parent: try row.decode(atIndex: 2),
      target: try row.decode(atIndex: 3),
      kind: try required(JournalEntry.Kind(rawValue: row.decode(atIndex: 4)), "a journal entry's kind"),
      schemaVersion: try row.decode(atIndex: 5), date: try row.timestamp(atIndex: 6, "a journal entry's date"),
      author: try text(row, 7, JournalEntry.maximumAuthorLength),
      summary: try text(row, 8, JournalEntry.maximumSummaryLength),
      commandLine: try text(row, 9, JournalEntry.maximumCommandLineLength))
  }

  private func text(_ row: Row, _ index: Int, _ length: Int) throws -> String {
    JournalEntry.shortened(try row.decode(atIndex: index), to: length)
  }

  func entry(withID id: Int64) throws -> JournalEntry? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(Self.columns) FROM journalEntry WHERE entryID = ?"), arguments: [id]
    ).map(make)
  }

  func entry(ofRevision revision: Int64) throws -> JournalEntry? {
    try Row.fetchOne(
      database.cachedStatement(sql: "SELECT \(Self.columns) FROM journalEntry WHERE revision = ?"),
      arguments: [revision]
    ).map(make)
  }

  /// Newest first.
  func entries() throws -> [JournalEntry] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(Self.columns) FROM journalEntry ORDER BY revision DESC")
    ).map(make)
  }

  /// The entries after a revision, oldest first.
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
    if stored.isTooDense, let declared = stored.declaredByteCount {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT,
        message: "the changeset of entry \(revision) has \(stored.bytes.count) bytes and says that it expands to "
          + "\(declared), more than the \(StoredChangeset.maximumByteCount(from: stored.bytes.count)) that may come of them"
      )
    }
    return try required(Changeset(stored), "the changeset of entry \(revision)")
  }

  /// Which entries are looked at for the next edit to redo, so that not each of many steps looks at all of them again.
  struct RedoSearch {
    /// The newest entry that made a state of its own. What was undone before it cannot be redone.
    var newestState: Int64 = 0
    /// Each edit was last undone earlier than the one that it is redone after.
    var undoneBefore: Int64 = .max
  }

  func redoSearch() throws -> RedoSearch {
    let newest = try Int64.fetchOne(
      database.cachedStatement(
        sql: "SELECT max(revision) FROM journalEntry WHERE kind NOT IN ('undo', 'redo', 'identity')"))
    return RedoSearch(newestState: newest ?? 0)
  }

  /// The entry that `redo` would reapply: the newest one undone from the current state, unless a later edit has
  /// replaced it.
  func redoTarget(of state: State, _ search: inout RedoSearch) throws -> JournalEntry? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT target, revision FROM journalEntry AS undone WHERE kind = 'undo'
            AND (SELECT parent FROM journalEntry WHERE entryID = undone.target) = ?
            AND revision > ? AND revision < ?
          ORDER BY revision DESC LIMIT 1
          """), arguments: [state.head, search.newestState, search.undoneBefore])
    guard let row else { return nil }
    search.undoneBefore = try row.decode(atIndex: 1)
    return try entry(withID: row.decode(atIndex: 0))
  }
}
