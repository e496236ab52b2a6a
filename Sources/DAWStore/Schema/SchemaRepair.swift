import CSQLiteSession
import GRDB

/// Restores the schema of a file's version in one transaction, without losing rows of daw's tables.
///
/// Runs no SQL of the file: triggers and views are removed as rows of `sqlite_schema`, and the rows of a changed table
/// are copied, by column name, to a new one with the right definition.
struct SchemaRepair {
  let database: Database
  let path: String
  let migrator: Migrator
  let version: Int
  private(set) var done: [String] = []

  init(_ database: Database, _ path: String, _ migrator: Migrator) throws {
    self.database = database
    self.path = path
    self.migrator = migrator
    version = try Migrator.version(of: database)
  }

  /// - Throws: `StoreError.schemaNotRepairable`, `DatabaseError`, `EditError` of a row that breaks a rule.
  mutating func run() throws {
    let expected = try migrator.expectedObjects(ofVersion: version)
    let before = try SchemaListing(of: database).objects
    try removeForeignCode(expected)
    for ours in expected where ours.kind == "table" { try repairTable(ours) }
    try repairIndexes(expected)
    let present = try SchemaListing(of: database).objects
    for ours in expected where !present.contains(where: ours.hasTextOf) {
      try database.execute(sql: ours.sql ?? "")
      // When a table was recreated, SQLite has removed its indexes and triggers.
      if !before.contains(where: ours.hasTextOf), ours.kind != "table" { done.append("put back \(ours.title)") }
    }
    let rest = try migrator.comparison(SchemaListing(of: database), version: version, in: database).differences
    guard rest.isEmpty else {
      throw unrepairable(
        rest.map(\.description).joined(separator: "; ") + "; it can be removed with the 'sqlite3' program")
    }
  }

  private func unrepairable(_ detail: String) -> StoreError { .schemaNotRepairable(path: path, detail: detail) }

  /// Removes triggers and views that differ from daw's, and invalid rows of `sqlite_schema`. None of them hold rows.
  private mutating func removeForeignCode(_ expected: [SchemaObject]) throws {
    let storing = ["table", "index"]
    for object in try SchemaListing(of: database).objects
    where !storing.contains(object.kind) && !expected.contains(where: object.hasTextOf) {
      try database.execute(sql: "DELETE FROM main.sqlite_schema WHERE rowid = ?", arguments: [object.row])
      done.append("removed \(object.title)")
    }
    // Makes SQLite parse the schema again, and from here on report text that it cannot parse.
    try database.execute(sql: "PRAGMA writable_schema = RESET")
    database.clearSchemaCache()
  }

  private mutating func repairTable(_ ours: SchemaObject) throws {
    guard
      let found = try SchemaListing(of: database).objects.first(where: {
        $0.kind == "table" && $0.name.lowercased() == ours.name.lowercased()
      })
    else { throw unrepairable("\(ours.title) is missing, with its rows") }
    if found.hasTextOf(ours) { return }
    guard found.isOrdinaryTable else { throw unrepairable("\(ours.title) was replaced by one of another kind") }
    let (all, wanted) = (try Self.columns(of: ours.name, in: database), try expectedColumns(of: ours.name))
    if let lost = wanted.first(where: { !$0.hasDefault && !all.map(\.name).contains($0.name) }) {
      throw unrepairable("\(ours.title) has lost its column '\(lost.name)'")
    }
    let kept = wanted.map(\.name).filter(all.map(\.name).contains).joined(separator: ", ")
    try ConnectionLimits.allowingChangesets(database) {
      try database.execute(
        sql: """
          CREATE TEMP TABLE keptRows AS SELECT \(kept) FROM main.\(ours.name);
          DROP TABLE main.\(ours.name);
          \(ours.sql ?? "");
          INSERT INTO main.\(ours.name) (\(kept)) SELECT \(kept) FROM temp.keptRows;
          DROP TABLE temp.keptRows;
          """)
    }
    let extra = all.map(\.name).filter { !wanted.map(\.name).contains($0) }
    done.append(
      "made \(ours.title) anew" + (extra.isEmpty ? "" : ", without its columns \(extra.joined(separator: ", "))"))
  }

  private func expectedColumns(of table: String) throws -> [Column] {
    try DatabaseQueue().write { memory in
      try migrator.makeSchema(memory, version: version)
      return try Self.columns(of: table, in: memory)
    }
  }

  private typealias Column = (name: String, hasDefault: Bool)

  /// The stored columns, without generated ones.
  private static func columns(of table: String, in database: Database) throws -> [Column] {
    try Row.fetchAll(
      database,
      sql: "SELECT name, dflt_value IS NOT NULL OR \"notnull\" = 0 FROM pragma_table_xinfo(?) WHERE hidden = 0",
      arguments: [table]
    ).map { (try $0.decode(atIndex: 0), try $0.decode(atIndex: 1)) }
  }

  /// Removes foreign indexes of daw's tables, and indexes of other tables that compute expressions.
  private mutating func repairIndexes(_ expected: [SchemaObject]) throws {
    let listing = try SchemaListing(of: database)
    let tables = migrator.tables(ofVersion: version)
    for object in listing.objects where object.kind == "index" && object.sql != nil {
      let isOurs = expected.contains(where: object.hasTextOf)
      let isPlain = try !tables.contains(object.table) && migrator.isOfColumns(object, in: database)
      guard !isOurs && !isPlain else { continue }
      let name = object.name.replacingOccurrences(of: "\"", with: "\"\"")
      try database.execute(sql: "DROP INDEX main.\"\(name)\"")
      done.append("removed \(object.title)")
    }
  }
}
