import CSQLiteSession
import DAWModel
import GRDB

/// A step from one schema version to the next.
///
/// Either it only appends columns with defaults and adds tables, so that stored changesets still apply, or `convert`
/// converts them in the same transaction.
struct Migration: Sendable {
  /// The version after the step.
  var version: Int
  /// Never edited after release.
  var sql: String
  /// The model's tables of the version, children first.
  var tables: [String]
  /// The tables of the version that no changeset records, because they are no part of the model, children first.
  var factTables: [String] = []
  /// `SchemaListing.fingerprint` of the version; if `nil`, a file's schema is compared object by object.
  var fingerprint: String?
  /// The tables and indexes of a new file of this version; if `nil`, it is made by the steps one after the other.
  var wholeSQL: String?
  /// Converts what is not rows of the model: the journal.
  var convert: (@Sendable (Database) throws -> Void)?
}

/// The schema versions that this program knows.
struct Migrator: Sendable {
  /// The steps after version 1, in order. A released step is never edited.
  var migrations: [Migration]

  static let released = Migrator(migrations: [
    Schema.version2, Schema.version3, Schema.version4, Schema.version5, Schema.version6, Schema.version7,
    Schema.version8, Schema.version9, Schema.version10,
  ])

  var currentVersion: Int { migrations.last?.version ?? 1 }

  /// The tables that changesets record, children first.
  var modelTables: [String] { modelTables(ofVersion: currentVersion) }

  /// The tables of a version that changesets record, children first.
  func modelTables(ofVersion version: Int) -> [String] {
    migrations.last { $0.version <= version }?.tables ?? Schema.modelTables
  }

  /// The tables of what was recorded, children first.
  func factTables(ofVersion version: Int) -> [String] { migrations.last { $0.version <= version }?.factTables ?? [] }

  /// All tables of a version.
  func tables(ofVersion version: Int) -> Set<String> {
    Set(modelTables(ofVersion: version) + factTables(ofVersion: version) + Schema.journalTables)
  }

  func fingerprint(ofVersion version: Int) -> String? {
    version == 1 ? Schema.version1Fingerprint : migrations.first { $0.version == version }?.fingerprint
  }

  /// Makes the schema of a new file, in the caller's transaction.
  /// - Parameters:
  ///   - version: by default the newest.
  ///   - hasTriggers: without those that are made from `StoredRule.all` it takes a fifth of the time, for a database in
  ///     memory whose rows no trigger is to see.
  func makeSchema(_ database: Database, version: Int? = nil, hasTriggers: Bool = true) throws {
    let version = version ?? currentVersion
    if let whole = migrations.last(where: { $0.version <= version && $0.wholeSQL != nil }), let sql = whole.wholeSQL {
      try database.execute(sql: sql + "; PRAGMA user_version = \(whole.version)")
      if version == whole.version, hasTriggers { try makeTriggers(ofVersion: version, in: database) }
      try migrate(database, to: version, hasTriggers: false, makesTriggers: hasTriggers)
    } else {
      try database.execute(sql: Schema.version1 + "PRAGMA user_version = 1")
      try migrate(database, to: version)
    }
  }

  /// Runs the steps after the file's version, in the caller's transaction.
  func migrate(_ database: Database) throws { try migrate(database, to: currentVersion) }

  /// - Parameters:
  ///   - hasTriggers: whether the triggers of the file's version are there.
  ///   - makesTriggers: whether those of the newest version are made where there are none.
  private func migrate(
    _ database: Database, to newest: Int, hasTriggers: Bool = true, makesTriggers: Bool = true
  ) throws {
    let version = try Self.version(of: database)
    guard version < newest else { return }
    let connection = database.sqliteConnection
    // Tables that others refer to are made anew; and what broke a rule before is carried over, for `check` to report.
    let hadForeignKeys = daw_enable_foreign_keys(connection, -1)
    _ = daw_enable_foreign_keys(connection, 0)
    try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
    defer {
      _ = daw_enable_foreign_keys(connection, hadForeignKeys)
      try? database.execute(sql: "PRAGMA ignore_check_constraints = OFF")
    }
    var hasTriggers = hasTriggers
    for migration in migrations where migration.version > version && migration.version <= newest {
      if hasTriggers, migration.version >= StoredRule.firstVersion {
        try dropTriggers(ofVersion: migration.version - 1, in: database)
        hasTriggers = false
      }
      try database.execute(sql: migration.sql)
      try migration.convert?(database)
      try database.execute(sql: "PRAGMA user_version = \(migration.version)")
    }
    // Once, for the last version: to make and to drop them takes longer than all the rest of a step.
    if !hasTriggers, makesTriggers { try makeTriggers(ofVersion: newest, in: database) }
    try writeRowsAnew(of: modelTables(ofVersion: newest), in: database)
  }

  /// The triggers that are made from `StoredRule.all`. Those of earlier versions are part of their texts.
  private func makeTriggers(ofVersion version: Int, in database: Database) throws {
    guard version >= StoredRule.firstVersion else { return }
    let tables = modelTables(ofVersion: version)
    try database.execute(sql: StoredRule.triggers(ofVersion: version, tables: tables).joined(separator: ";\n"))
  }

  private func dropTriggers(ofVersion version: Int, in database: Database) throws {
    let tables = tables(ofVersion: version)
    for object in try SchemaListing(of: database).objects where object.kind == "trigger" {
      if tables.contains(object.table) { try database.execute(sql: "DROP TRIGGER main.\(object.name)") }
    }
  }

  /// Rewrites every row with all of its columns.
  ///
  /// A row that is older than an added column does not contain it. Reading gives the column's default, but SQLite's
  /// session extension would record NULL as the previous value, so that an edit of the row could not be undone.
  private func writeRowsAnew(of tables: [String], in database: Database) throws {
    daw_enable_triggers(database.sqliteConnection, 0)
    defer { daw_enable_triggers(database.sqliteConnection, 1) }
    for table in tables {
      let column = try String.fetchOne(
        database, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid DESC", arguments: [table])
      guard let column else { continue }
      try database.execute(sql: "UPDATE \(table) SET \(column) = \(column)")
    }
  }

  static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
  }
}
