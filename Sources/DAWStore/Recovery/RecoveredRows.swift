import DAWModel
import GRDB

/// Removes from a recovered project what breaks its rules.
struct RecoveredRows {
  let database: Database
  /// How many rows, by table.
  private(set) var dropped: [String: Int] = [:]
  private(set) var hasChanged = false

  init(database: Database) { self.database = database }

  /// At most so many rounds: rows that stay may refer to rows that a round has removed.
  private static let rounds = 50

  mutating func run(named name: Name, _ now: Timestamp) throws {
    for _ in 0..<Self.rounds {
      try complete(named: name, now)
      let isDone = try repairReferences() && removeBroken()
      if isDone { return }
    }
  }

  /// A project has one row, and one master track.
  private mutating func complete(named name: Name, _ now: Timestamp) throws {
    if try Int.fetchOne(database, sql: "SELECT count(*) FROM project") == 0 {
      hasChanged = true
      let settings = ProjectSettings(name: name)
      try database.execute(
        sql: "INSERT INTO project (id, uuid, createdDate, \(ProjectSettings.columns)) "
          + "VALUES (1, ?, ?\(ProjectSettings.fields.map { _ in ", ?" }.joined()))",
        arguments: [ProjectID.random().uuidString, now.milliseconds] + settings.arguments)
    }
    let masters = try Int64.fetchAll(database, sql: "SELECT id FROM track WHERE trackType = 'master' ORDER BY id")
    if masters.isEmpty {
      hasChanged = true
      let highest = try Int64.fetchOne(database, sql: "SELECT max(id) FROM track").map(TrackID.init(rawValue:))
      let id: TrackID = IdentifierSource(now: { now.milliseconds }).first(above: highest)
      try StoredTables(database: database).insert([
        Track(id: id, name: Name(literal: "Master"), orderKey: .master, trackType: .master)
      ])
    }
    for id in masters.dropFirst() { try drop("track", id) }
    if try Int.fetchOne(database, sql: "SELECT count(*) FROM factState") == 0 {
      hasChanged = true
      try database.execute(sql: "INSERT INTO factState (id, number) VALUES (1, 0)")
    }
  }

  /// Repairs references to rows that are not there: the column is set to NULL where that is allowed; otherwise the
  /// referring row is removed.
  /// - Returns: whether every reference was right.
  private mutating func repairReferences() throws -> Bool {
    let rows = try Row.fetchAll(database, sql: "PRAGMA foreign_key_check")
    for row in rows {
      let (table, id, constraint): (String, Int64?, Int) = (row[0], row[1], row[3])
      guard let id else { continue }
      let columns = try String.fetchAll(
        database, sql: "SELECT \"from\" FROM pragma_foreign_key_list(?) WHERE id = ?", arguments: [table, constraint])
      let isOptional =
        try Int.fetchOne(
          database,
          sql: "SELECT count(*) FROM pragma_table_info(?) WHERE name = ? AND \"notnull\" = 0 AND pk = 0",
          arguments: [table, columns.first ?? ""]) == 1
      hasChanged = true
      if columns.count == 1, isOptional,
        (try? database.execute(sql: "UPDATE \(table) SET \(columns[0]) = NULL WHERE rowid = ?", arguments: [id])) != nil
      {
        continue
      }
      try drop(table, id)
    }
    return rows.isEmpty
  }

  /// Removes the rows that break a rule.
  /// - Returns: whether no rule was broken.
  private mutating func removeBroken() throws -> Bool {
    let findings = try Audit(database: database).findings()
    for finding in findings where finding.id != 0 {
      // An account of frames with holes: the recording is found again from its files.
      let recording =
        try finding.table == RecordedPass.table
        ? Int64.fetchOne(database, sql: "SELECT recording FROM pass WHERE id = ?", arguments: [finding.id]) : nil
      if let recording { try drop(Recording.table, recording) } else { try drop(finding.table, finding.id) }
    }
    return findings.isEmpty
  }

  private mutating func drop(_ table: String, _ id: Int64) throws {
    hasChanged = true
    let before = database.totalChangesCount
    try database.execute(sql: "DELETE FROM \(table) WHERE rowid = ?", arguments: [id])
    if database.totalChangesCount > before { dropped[table, default: 0] += 1 }
  }
}
