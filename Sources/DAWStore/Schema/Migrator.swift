import CSQLiteSession
import DAWModel
import GRDB

/// A step from one schema version to the next.
///
/// It only appends columns with defaults and adds tables, so that stored changesets still apply; or it converts them in
/// the same transaction.
struct Migration: Sendable {
  /// The version after the step.
  var version: Int
  /// Never edited after release. Includes the triggers that count other programs' writes to the new tables.
  var sql: String
  /// The model's tables that the step adds, children first.
  var tables: [String] = []
  /// `SchemaListing.fingerprint` of the version; if `nil`, a file's schema is compared object by object.
  var fingerprint: String?
}

/// The schema versions that this program knows.
struct Migrator: Sendable {
  /// The steps after version 1, in order. A released step is never edited.
  var migrations: [Migration]

  static let released = Migrator(migrations: [Schema.version2])

  var currentVersion: Int { migrations.last?.version ?? 1 }

  /// The tables that changesets record, children first.
  var modelTables: [String] { modelTables(ofVersion: currentVersion) }

  private func modelTables(ofVersion version: Int) -> [String] {
    migrations.reversed().filter { $0.version <= version }.flatMap(\.tables) + Schema.modelTables
  }

  /// All tables of a version.
  func tables(ofVersion version: Int) -> Set<String> { Set(modelTables(ofVersion: version) + Schema.journalTables) }

  func fingerprint(ofVersion version: Int) -> String? {
    version == 1 ? Schema.version1Fingerprint : migrations.first { $0.version == version }?.fingerprint
  }

  /// Creates the tables of version 1 and runs all steps up to a version, in the caller's transaction.
  func makeSchema(_ database: Database, version: Int? = nil) throws {
    try database.execute(sql: Schema.version1 + "PRAGMA user_version = 1")
    try migrate(database, to: version)
  }

  /// Runs the steps after the file's version, in the caller's transaction.
  func migrate(_ database: Database) throws { try migrate(database, to: nil) }

  private func migrate(_ database: Database, to newest: Int?) throws {
    let version = try Self.version(of: database)
    for migration in migrations where migration.version > version && migration.version <= newest ?? currentVersion {
      try database.execute(sql: migration.sql)
      try database.execute(sql: "PRAGMA user_version = \(migration.version)")
    }
    if version < currentVersion { try writeRowsAnew(of: modelTables(ofVersion: version), in: database) }
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
