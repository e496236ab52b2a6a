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
    try Migrator.released.modelTables.flatMap {
      // Another program's tables are its own matter.
      try Row.fetchAll(database, sql: "PRAGMA foreign_key_check(\($0))")
    }.map { row in
      let (table, parent): (String, String) = (row[0], row[2])
      return Finding(violation: Self.brokenReference(from: table, to: parent), table: table, id: row[1] ?? 0)
    }
  }

  private static func brokenReference(from table: String, to parent: String) -> RuleViolation {
    RuleViolation(.referenceExists, value: "a row of \(table) that refers to no \(parent)")
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
  /// The rules over several rows that may be broken by the rows that a changeset has touched, and references that lead
  /// nowhere now. The schema's `CHECK`s have held while it was applied; its foreign keys and triggers have not.
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
      for id in rows.listed { try statement.execute(arguments: [table, id]) }
    }
    let related = try Relation.all.flatMap { relation in
      // What is deleted breaks no rule but those of references and of counts.
      let columns = relation.columns.filter {
        touched.tables[$0.table].map { relation.isCount || !$0.isDeletionOnly } ?? false
      }
      guard !columns.isEmpty else { return [Finding]() }
      guard !relation.isCount, columns.allSatisfy({ touched.tables[$0.table]?.isTooMany == false }) else {
        return try run(relation)
      }
      let scope = columns.map { "\($0.column) IN (SELECT id FROM touched WHERE tableName = '\($0.table)')" }
      return try run(relation, scope: scope.joined(separator: " OR "))
    }
    return try related + brokenReferences(touched)
  }

  /// The references of touched rows, and those to rows that are gone.
  private func brokenReferences(_ touched: TouchedRows) throws -> [Finding] {
    let references = try Row.fetchAll(
      database,
      sql: """
        SELECT child.name, reference."from", reference."table" FROM main.sqlite_schema AS child
          JOIN pragma_foreign_key_list(child.name) AS reference WHERE child.type = 'table'
        """)
    return try references.flatMap { reference in
      let (child, column, parent): (String, String, String) = (reference[0], reference[1], reference[2])
      let (children, parents) = (touched.tables[child], touched.tables[parent])
      var scopes: [String] = []
      if let children, !children.isDeletionOnly {
        scopes.append(children.isTooMany ? "1" : "child.id IN (SELECT id FROM touched WHERE tableName = '\(child)')")
      }
      if let parents, parents.hasDeletions {
        scopes.append(
          parents.isTooMany ? "1" : "child.\(column) IN (SELECT id FROM touched WHERE tableName = '\(parent)')")
      }
      guard !scopes.isEmpty else { return [Finding]() }
      let rows = try Int64.fetchAll(
        database,
        sql: """
          SELECT child.id FROM \(child) AS child WHERE (\(scopes.joined(separator: " OR ")))
            AND child.\(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(parent) WHERE id = child.\(column))
          """)
      return rows.map { Finding(violation: Self.brokenReference(from: child, to: parent), table: child, id: $0) }
    }
  }
}

/// The rows that a changeset has touched, by table.
private struct TouchedRows {
  struct Rows {
    var count = 0
    /// Whether none of them is there afterwards.
    var isDeletionOnly = true
    var hasDeletions = false
    /// Only the first of too many.
    var listed: [Int64] = []

    /// Above this many rows of one table it is cheaper to look at all.
    var isTooMany: Bool { count > Self.mostListed }
    private static let mostListed = 10_000

    mutating func add(_ row: ChangedRow) {
      count += 1
      if row.operation == .deletion { hasDeletions = true } else { isDeletionOnly = false }
      if listed.count < Self.mostListed { listed.append(row.id) }
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
