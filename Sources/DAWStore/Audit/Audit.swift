import DAWModel
import GRDB

/// A broken rule, found in the tables.
public struct Finding: Equatable, Sendable {
  public var violation: RuleViolation
  public var table: String
  /// The row's, or 0 where the rule is about how many rows there are.
  public var id: Int64
}

/// Finds rows that break rules, whoever wrote them, and whatever checks were switched off.
struct Audit {
  let database: Database

  /// Every broken rule of the whole project.
  func findings() throws -> [Finding] {
    try rows() + notes() + events() + references() + Relation.all.flatMap { try run($0) }
  }

  /// The rules of single rows, judged by Swift.
  private func rows() throws -> [Finding] {
    try rows("SELECT \(ProjectSettings.columns) FROM project") { _ = try ProjectSettings(row: $0) }
      + rows("SELECT \(Track.columns) FROM track") { row in
        try requireKey(row.decode(atIndex: Track.columnNames.count - 1), of: Track(row: row).name, in: row, of: "track")
      }
      + rows("SELECT \(Region.columns), nameKey FROM region") { row in
        try requireKey(row.decode(atIndex: 13), of: Region(row: row).name, in: row, of: "region")
      }
      + rows("SELECT \(AudioFile.columns) FROM audioFile") { _ = try AudioFile(row: $0) }
      + rows("SELECT \(SoundFont.columns) FROM soundFont") { _ = try SoundFont(row: $0) }
      + rows("SELECT \(TempoMark.columns) FROM tempoMark") { _ = try TempoMark(row: $0) }
      + rows("SELECT \(MeterMark.columns) FROM meterMark") { _ = try MeterMark(row: $0) }
      + rows("SELECT \(KeyMark.columns) FROM keyMark") { _ = try KeyMark(row: $0) }
      + rows("SELECT \(Marker.columns) FROM marker") { row in
        try requireKey(
          row.decode(atIndex: Marker.columnNames.count - 1), of: Marker(row: row).name, in: row, of: "marker")
      }
  }

  private func rows(_ sql: String, _ read: (Row) throws -> Void) throws -> [Finding] {
    var findings: [Finding] = []
    let rows = try Row.fetchCursor(database, sql: sql)
    while let row = try rows.next() {
      do {
        try read(row)
      } catch let broken as BrokenRow {
        findings.append(Finding(violation: broken.violation, table: broken.table, id: broken.id))
      }
    }
    return findings
  }

  private func requireKey(_ key: String, of name: Name, in row: Row, of table: String) throws {
    guard name.key != key else { return }
    throw BrokenRow(
      violation: RuleViolation(.nameKey, value: "the name '\(name)' with the key '\(key)'"), table: table, id: row[0])
  }

  private func notes() throws -> [Finding] {
    var findings: [Finding] = []
    try MIDINote.forEach("SELECT \(MIDINote.columns) FROM midiNote", in: database) { note in
      do throws(RuleViolation) {
        try note.validate()
      } catch {
        findings.append(Finding(violation: error, table: "midiNote", id: note.id.rawValue))
      }
    }
    return findings
  }

  private func events() throws -> [Finding] {
    var findings: [Finding] = []
    try RegionEvent.forEach("SELECT \(RegionEvent.columns) FROM midiEvent", in: database) { id, event in
      do throws(RuleViolation) {
        try event.get().validate()
      } catch {
        findings.append(Finding(violation: error, table: "midiEvent", id: id))
      }
    }
    return findings
  }

  private func references() throws -> [Finding] {
    try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
      let (table, parent): (String, String) = (row[0], row[2])
      return Finding(
        violation: RuleViolation(.referenceExists, value: "a row of \(table) that refers to no \(parent)"),
        table: table,
        id: row[1] ?? 0)
    }
  }

  /// - Parameter scope: a condition that chooses the rows to look at; all where it is `nil`.
  private func run(_ relation: Relation, scope: String? = nil) throws -> [Finding] {
    let sql = """
      SELECT \(relation.isCount ? "0" : "\(relation.table).id"), \(relation.value) FROM \(relation.from)
      WHERE \(scope.map { "(\($0)) AND (\(relation.condition))" } ?? relation.condition)
      """
    return try Row.fetchAll(database, sql: sql).map { row in
      Finding(
        violation: RuleViolation(relation.rule, value: try row.decode(atIndex: 1)), table: relation.table,
        id: try row.decode(atIndex: 0))
    }
  }
}

extension Audit {
  /// The rules over several rows that may be broken by the rows that a changeset has touched. The schema's `CHECK`s and
  /// foreign keys have held meanwhile; its triggers have not.
  func findings(touchedBy changeset: Changeset) throws -> [Finding] {
    let touched = try TouchedRows(changeset)
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS touched (tableName TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tableName, id))
          WITHOUT ROWID;
        DELETE FROM touched;
        """)
    let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO touched VALUES (?, ?)")
    for (table, rows) in touched.tables where !rows.isTooMany {
      // What is deleted breaks no rule but those of references and of counts.
      for id in rows.standing { try statement.execute(arguments: [table, id]) }
    }
    return try Relation.all.flatMap { relation in
      let columns = relation.columns.filter { touched.tables[$0.table] != nil }
      guard !columns.isEmpty else { return [Finding]() }
      guard !relation.isCount, columns.allSatisfy({ touched.tables[$0.table]?.isTooMany == false }) else {
        let isDeletionOnly = columns.allSatisfy { touched.tables[$0.table]?.standing.isEmpty == true }
        return isDeletionOnly && !relation.isCount ? [] : try run(relation)
      }
      let scope = columns.map { "\($0.column) IN (SELECT id FROM touched WHERE tableName = '\($0.table)')" }
      return try run(relation, scope: scope.joined(separator: " OR "))
    }
  }
}

/// The rows that a changeset has touched, by table.
private struct TouchedRows {
  struct Rows {
    var count = 0
    /// Those that are there afterwards; only the first of too many.
    var standing: [Int64] = []

    /// Above this many rows of one table it is cheaper to look at all.
    var isTooMany: Bool { count > Self.mostListed }
    private static let mostListed = 10_000

    mutating func add(_ row: ChangedRow) {
      count += 1
      if row.operation != .deletion, standing.count < Self.mostListed { standing.append(row.id) }
    }
  }

  private(set) var tables: [String: Rows] = [:]

  init(_ changeset: Changeset) throws {
    // Rows of one table stand together.
    var (table, rows) = ("", Rows())
    try changeset.forEachRow { row in
      if row.table != table {
        if rows.count > 0 { tables[table] = rows }
        (table, rows) = (row.table, tables[row.table] ?? Rows())
      }
      rows.add(row)
    }
    if rows.count > 0 { tables[table] = rows }
  }
}
