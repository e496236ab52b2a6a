import DAWModel
import GRDB

/// A broken rule, found in the tables.
public struct Finding: Equatable, Sendable {
  public var violation: RuleViolation
  public var table: String
  /// The row's id, or 0 if the rule concerns the number of rows.
  public var id: Int64
}

/// Finds rows that break rules, whichever program wrote them and whichever checks were off.
struct Audit {
  let database: Database

  /// All broken rules of the project.
  func findings() throws -> [Finding] {
    try settings() + EntityKind.allCases.flatMap { try rows($0.entity) } + references()
      + StoredRule.ofSeveralRows.flatMap { try run($0) } + counts() + routingCycle() + effectLatency() + recordings()
  }

  private func settings() throws -> [Finding] {
    do {
      try StatementRow.forEach("SELECT \(ProjectSettings.columns) FROM project", in: database) {
        _ = try ProjectSettings($0, from: 0)
      }
      return []
    } catch let broken as BrokenRow {
      return [Finding(violation: broken.violation, table: broken.table, id: broken.id)]
    }
  }

  /// Rules of single rows, as Swift checks them, and derived columns.
  private func rows<E: Entity>(_ entity: E.Type) throws -> [Finding] {
    var findings: [Finding] = []
    let derived = E.fields.enumerated().filter(\.element.isDerived)
    try StatementRow.forEach("\(E.sql.select) \(E.table)", in: database) { row in
      do throws(RuleViolation) {
        let value = try E(row)
        try value.validate()
        for (index, field) in derived where row.value(1 + index) != field.value(value) {
          throw RuleViolation(
            field.rule, value: "\(field.name) \(row.value(1 + index)) in place of \(field.value(value))",
            subject: value.subject)
        }
      } catch {
        findings.append(
          Finding(violation: error, table: E.table, id: row.integer(0)))
      }
    }
    return findings
  }

  private func references() throws -> [Finding] {
    let migrator = Migrator.released
    return try (migrator.modelTables + migrator.factTables(ofVersion: migrator.currentVersion)).flatMap {
      // Tables of other programs are not checked.
      try Row.fetchAll(database, sql: "PRAGMA foreign_key_check(\($0))")
    }.map { row in
      let (table, parent) = (try row.decode(String.self, atIndex: 0), try row.decode(String.self, atIndex: 2))
      return Finding(
        violation: Self.brokenReference(from: table, to: parent), table: table,
        id: try row.decode(Int64?.self, atIndex: 1) ?? 0)
    }
  }

  private static func brokenReference(from table: String, to parent: String) -> RuleViolation {
    RuleViolation(.referenceExists, value: "a row of \(table) that refers to no \(parent)")
  }

  /// Rules about the number of rows.
  private func counts() throws -> [Finding] {
    try [
      (Rule.projectIsOne, "project", "projects", "1"), (.masterIsOne, "track", "master tracks", "trackType = 'master'"),
    ].compactMap { rule, table, noun, condition in
      let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table) WHERE \(condition)") ?? 0
      return count == 1 ? nil : Finding(violation: RuleViolation(rule, value: "\(count) \(noun)"), table: table, id: 0)
    }
  }

  /// The strips that each one feeds by its output and its sends, and those whose effects have it as their key.
  /// - Parameter withMaster: whether the master is among them, which outputs without a bus lead to.
  func connections(withMaster: Bool = false) throws -> [TrackID: [TrackID]] {
    let master = withMaster ? "(SELECT id FROM track WHERE trackType = 'master')" : "NULL"
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT id, coalesce(outputBus, iif(isOutputConnected AND trackType <> 'master', \(master), NULL)) AS target
          FROM track WHERE target IS NOT NULL
        UNION ALL SELECT track, bus FROM send UNION ALL SELECT key, track FROM effect WHERE key IS NOT NULL
        """)
    var connections: [TrackID: [TrackID]] = [:]
    for row in rows {
      let (track, target) = (try row.decode(Int64.self, atIndex: 0), try row.decode(Int64.self, atIndex: 1))
      connections[TrackID(rawValue: track), default: []].append(TrackID(rawValue: target))
    }
    return connections
  }

  /// A cycle of outputs, sends and keys of effects.
  private func routingCycle() throws -> [Finding] {
    let targets = try connections()
    guard let cycle = DAWModel.routingCycle(from: targets.keys.sorted(), targets: { targets[$0] ?? [] })
    else { return [] }
    let names = try cycle.map { id in
      try String.fetchOne(database, sql: "SELECT name FROM track WHERE id = ?", arguments: [id.rawValue]) ?? "?"
    }
    return [Finding(violation: RuleViolation(routingCycle: names), table: "track", id: cycle[0].rawValue)]
  }

  /// - Parameter scope: a condition that selects the rows to check; all if `nil`.
  private func run(_ rule: StoredRule, scope: String? = nil) throws -> [Finding] {
    let sql = """
      SELECT row.id, \(rule.value ?? "''") FROM \(rule.source ?? "\(rule.table) AS row")
      WHERE \(scope.map { "(\($0)) AND (\(rule.condition))" } ?? rule.condition)
      """
    return try Row.fetchAll(database, sql: sql).map { row in
      Finding(
        violation: RuleViolation(rule.rule, value: try row.decode(atIndex: 1)), table: rule.table,
        id: try row.decode(atIndex: 0))
    }
  }
}

extension Audit {
  /// Rules over several rows that changes of a changeset's rows can break, and dangling references. `CHECK`s were
  /// enforced while the changeset was applied; foreign keys and triggers were not.
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
    let related = try StoredRule.ofSeveralRows.flatMap { rule in
      let columns = rule.affected.filter { touched.tables[$0.table].map { !$0.isDeletionOnly } ?? false }
      guard !columns.isEmpty else { return [Finding]() }
      guard columns.allSatisfy({ touched.tables[$0.table]?.isTooMany == false }) else { return try run(rule) }
      let scope = columns.map { "\($0.column) IN (SELECT id FROM touched WHERE tableName = '\($0.table)')" }
      return try run(rule, scope: scope.joined(separator: " OR "))
    }
    let hasCounted = touched.tables["track"] != nil || touched.tables["project"] != nil
    let hasConnected = ["track", "send", "effect"].contains { touched.tables[$0]?.isDeletionOnly == false }
    // A setting that is gone is at its default, which may be more.
    let mayBeLater = hasConnected || touched.tables["effectSetting"] != nil
    return try related + (hasCounted ? counts() : []) + (hasConnected ? routingCycle() : [])
      + (mayBeLater ? effectLatency() : [])
      + brokenReferences(touched)
  }

  /// References of the changed rows, and references to deleted rows.
  private func brokenReferences(_ touched: TouchedRows) throws -> [Finding] {
    try database.references().flatMap { reference in
      let (child, column, parent) = (reference.table, reference.column, reference.parent)
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

extension StoredRule {
  /// The rules that the audit checks; those of one row are checked as it is read.
  fileprivate static let ofSeveralRows = all.filter { $0.value != nil && $0.until == .max }

  /// The tables whose changes can break the rule, each with the column that selects the affected rows.
  fileprivate var affected: [(table: String, column: String)] {
    [(table, "row.id")] + parents.map { ($0.table, "row.\($0.reference)") }
  }
}

/// The rows of a changeset, by table.
private struct TouchedRows {
  struct Rows {
    var count = 0
    /// Whether all were deleted.
    var isDeletionOnly = true
    var hasDeletions = false
    /// At most `maximumListed` of them.
    var listed: [Int64] = []

    /// Whether it is cheaper to check the whole table.
    var isTooMany: Bool { count > Self.maximumListed }
    private static let maximumListed = 10_000

    mutating func add(_ row: ChangedRow) {
      count += 1
      if row.operation == .deletion { hasDeletions = true } else { isDeletionOnly = false }
      if listed.count < Self.maximumListed { listed.append(row.id) }
    }
  }

  private(set) var tables: [String: Rows] = [:]

  init(_ changeset: Changeset) throws {
    // A changeset has the rows of a table together.
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
