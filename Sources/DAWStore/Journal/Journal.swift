import DAWModel
import Foundation
import GRDB

/// The journal's tables, within a transaction. Append-only.
struct Journal {
  let database: Database

  struct State {
    var revision: Int64
    var modifiedDate: Timestamp
    /// The id of the entry whose state the model's tables have.
    var node: Int64
    /// Rows that another program has written since.
    var outsideChanges: Int64
  }

  func state() throws -> State {
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT revision, modifiedDate, node, outsideChanges FROM journalState"))
    guard let row else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the journal has no state") }
    return State(
      revision: row[0], modifiedDate: Timestamp(milliseconds: row[1]), node: row[2], outsideChanges: row[3])
  }

  /// Tells the triggers that watch for other programs whose writes these are.
  func setWriting(_ isWriting: Bool) throws {
    try database.cachedStatement(sql: "UPDATE journalState SET isWriting = ?").execute(arguments: [isWriting])
  }

  /// Appends an entry and moves the state to it.
  func append(_ entry: JournalEntry, _ changeset: Changeset) throws {
    let isLarge = changeset.bytes.count > Changeset.compressionThreshold
    let stored = isLarge ? changeset.compressed() : changeset.bytes
    try database.cachedStatement(
      sql: """
        INSERT INTO journalEntry (revision, entryID, parent, target, kind, schemaVersion, date, author, summary,
          commandLine, isCompressed, changeset) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      entry.revision, entry.id, entry.parent, entry.target, entry.kind.rawValue, entry.schemaVersion,
      entry.date.milliseconds, entry.author, entry.summary, entry.commandLine, isLarge, stored.databaseBlob,
    ])
    let node = try entry.node { try self.entry(withID: $0)?.parent ?? 0 }
    try database.cachedStatement(
      sql: "UPDATE journalState SET revision = ?, modifiedDate = max(modifiedDate, ?), node = ?, outsideChanges = 0"
    ).execute(arguments: [entry.revision, entry.date.milliseconds, node])
  }

  private static let columns =
    "revision, entryID, parent, target, kind, schemaVersion, date, author, summary, commandLine"

  private func make(_ row: Row) throws -> JournalEntry {
    JournalEntry(
      revision: row[0], id: row[1], parent: row[2], target: row[3],
      kind: try decode(JournalEntry.Kind(rawValue: row[4]), "journalEntry.kind"), schemaVersion: row[5],
      date: Timestamp(milliseconds: row[6]), author: row[7], summary: row[8], commandLine: row[9])
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
    let row = try Row.fetchOne(
      database.cachedStatement(sql: "SELECT isCompressed, changeset FROM journalEntry WHERE revision = ?"),
      arguments: [revision])
    guard let row else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the journal has no entry \(revision)")
    }
    let bytes: [UInt8] = try row.withUnsafeData(atIndex: 1) { data in data.map { [UInt8]($0) } ?? [] }
    if row[0] as Bool {
      return try decode(Changeset(compressed: bytes), "journalEntry.changeset")
    }
    return Changeset(bytes: bytes)
  }

  /// What `redo` would bring back: the newest edit undone from the present state, unless a later one has replaced it.
  func redoTarget(of state: State) throws -> JournalEntry? {
    let row = try Row.fetchOne(
      database.cachedStatement(
        sql: """
          SELECT target FROM journalEntry AS undone WHERE kind = 'undo'
            AND (SELECT parent FROM journalEntry WHERE entryID = undone.target) = ?
            AND revision > (SELECT coalesce(max(revision), 0) FROM journalEntry
              WHERE kind IN ('create', 'do', 'revert', 'merge', 'outside'))
          ORDER BY revision DESC LIMIT 1
          """), arguments: [state.node])
    guard let row else { return nil }
    return try entry(withID: row[0])
  }
}

extension [UInt8] {
  fileprivate var databaseBlob: DatabaseValue { withUnsafeBytes { Data($0).databaseValue } }
}
