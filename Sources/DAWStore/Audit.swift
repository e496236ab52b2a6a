import DAWModel
import Foundation
import GRDB

/// A broken rule, found in the tables.
public struct Finding: Equatable, Sendable {
  public var violation: RuleViolation
  public var table: String
  public var id: Int64
}

/// Finds rows that break rules, whoever wrote them.
struct Audit {
  let database: Database

  /// A query for the rows that break a rule.
  private struct Check {
    var rule: Rule
    var table: String
    /// Other tables whose changes can break the rule, with the column that refers to them.
    var parents: [(table: String, column: String)] = []
    /// What is wrong, in words: an expression of SQL.
    var value: String
    var from: String
    var condition: String
    /// A rule about how many rows there are is looked at whole.
    var isCount = false
  }

  private static let checks: [Check] = [
    Check(
      rule: .projectIsOne, table: "project", value: "count(*) || ' projects'", from: "project",
      condition: "1 GROUP BY 1 = 1 HAVING count(*) <> 1", isCount: true),
    Check(
      rule: .masterIsOne, table: "track", value: "(SELECT count(*) FROM track WHERE trackType = 'master') || ' masters'",
      from: "project", condition: "(SELECT count(*) FROM track WHERE trackType = 'master') <> 1", isCount: true),
    Check(
      rule: .trackNameIsUnique, table: "track", value: "'the name ''' || track.name || ''''", from: "track",
      condition: "EXISTS (SELECT 1 FROM track AS other WHERE other.nameKey = track.nameKey AND other.id < track.id)"),
    Check(
      rule: .regionFitsTrack, table: "region", parents: [("track", "region.track")],
      value: "'the region ''' || region.name || ''''", from: "region JOIN track ON track.id = region.track",
      condition: "track.trackType <> region.regionType"),
    Check(
      rule: .regionWithinFile, table: "region", parents: [("audioFile", "region.audioFile")],
      value: "'the region ''' || region.name || ''''",
      from: "region JOIN audioFile ON audioFile.id = region.audioFile",
      condition: "region.audioOffset + region.duration > audioFile.duration"),
    Check(
      rule: .regionCoversNotes, table: "midiNote", parents: [("region", "midiNote.region")],
      value: "'a note in the region ''' || region.name || ''''",
      from: "midiNote JOIN region ON region.id = midiNote.region",
      condition: "midiNote.startTime + midiNote.duration > region.duration OR region.regionType <> 'midi'"),
    Check(
      rule: .mediaIsOnce, table: "audioFile", value: "'the file ''' || audioFile.path || ''''", from: "audioFile",
      condition: """
        EXISTS (SELECT 1 FROM audioFile AS other WHERE other.sha256 = audioFile.sha256 AND other.id < audioFile.id)
        """),
    Check(
      rule: .mediaIsOnce, table: "soundFont", value: "'the file ''' || soundFont.path || ''''", from: "soundFont",
      condition: """
        EXISTS (SELECT 1 FROM soundFont AS other WHERE other.sha256 = soundFont.sha256 AND other.id < soundFont.id)
        """),
  ]

  /// Every broken rule of the whole project.
  func findings() throws -> [Finding] {
    try references() + Self.checks.flatMap { try run($0) } + names() + widths()
  }

  /// The broken rules among the rows that a changeset has touched, and those that depend on them.
  func findings(touchedBy changeset: Changeset) throws -> [Finding] {
    let rows = try changeset.touchedRows()
    let tables = Set(rows.map(\.table))
    let checks = Self.checks.filter { check in
      tables.contains(check.table) || check.parents.contains { tables.contains($0.table) }
    }
    try database.execute(
      sql: """
        CREATE TEMP TABLE IF NOT EXISTS touched (tableName TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (tableName, id));
        DELETE FROM touched;
        """)
    let statement = try database.cachedStatement(sql: "INSERT OR IGNORE INTO touched VALUES (?, ?)")
    for row in rows { try statement.execute(arguments: [row.table, row.id]) }
    return try checks.flatMap { check in
      let columns = [(table: check.table, column: "\(check.table).id")] + check.parents
      let scope = columns.map { "\($0.column) IN (SELECT id FROM touched WHERE tableName = '\($0.table)')" }
      return try run(check, scope: check.isCount ? nil : scope.joined(separator: " OR "))
    }
  }

  private func run(_ check: Check, scope: String? = nil) throws -> [Finding] {
    let sql = """
      SELECT \(check.isCount ? "1" : "\(check.table).id"), \(check.value) FROM \(check.from)
      WHERE \(scope.map { "(\($0)) AND (\(check.condition))" } ?? check.condition)
      """
    return try Row.fetchAll(database, sql: sql).map { row in
      Finding(violation: RuleViolation(check.rule, value: row[1]), table: check.table, id: row[0])
    }
  }

  private func references() throws -> [Finding] {
    try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { row in
      let (table, parent): (String, String) = (row[0], row[2])
      return Finding(
        violation: RuleViolation(.referenceExists, value: "a row of \(table) that refers to no \(parent)"), table: table,
        id: row[1] ?? 0)
    }
  }

  /// Rules of names that only Swift can judge.
  private func names() throws -> [Finding] {
    try Row.fetchAll(database, sql: "SELECT id, name, nameKey FROM track").compactMap { row in
      let (text, key): (String, String) = (row[1], row[2])
      if let name = try? Name(text), name.text == text, name.key == key { return nil }
      return Finding(
        violation: RuleViolation(.nameKey, value: "the name '\(text)' with the key '\(key)'"), table: "track", id: row[0])
    }
  }

  private func widths() throws -> [Finding] {
    let tables = StoredTables(database: database)
    return try Row.fetchAll(database, sql: "SELECT \(Region.columns) FROM region WHERE regionType = 'audio'")
      .compactMap { row in
        let region = try Region(row: row)
        guard let track = try tables.track(region.track), let span = region.audio,
          let file = try tables.audioFile(span.file)
        else { return nil }
        do {
          try region.validate(on: track, over: file)
          return nil
        } catch let violation as RuleViolation where [.channelsFitFile, .channelsFitTrack].contains(violation.rule) {
          return Finding(violation: violation, table: "region", id: region.id.rawValue)
        } catch { return nil }
      }
  }
}
