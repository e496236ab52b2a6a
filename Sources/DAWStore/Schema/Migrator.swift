import DAWModel
import GRDB

/// A step from one schema version to the next.
///
/// It only appends columns that have defaults, and adds tables, so that stored changesets still apply; or it converts them
/// in the same transaction.
struct Migration: Sendable {
  /// The version that it leads to.
  var version: Int
  var sql: String
  /// The model's tables that it adds, children first.
  var tables: [String] = []
}

/// What this program knows of schema versions.
struct Migrator: Sendable {
  /// The steps after version 1, in order. One that was released is never edited.
  var migrations: [Migration]

  static let released = Migrator(migrations: [Schema.version2])

  var currentVersion: Int { migrations.last?.version ?? 1 }

  /// The tables that a changeset records, children first.
  var modelTables: [String] { migrations.reversed().flatMap(\.tables) + Schema.modelTables }

  /// Runs the steps that a file lacks, in the caller's transaction.
  func migrate(_ database: Database) throws {
    let version = try Self.version(of: database)
    for migration in migrations where migration.version > version {
      try database.execute(sql: migration.sql + "\n" + Schema.outsideTriggers(for: migration.tables))
      try database.execute(sql: "PRAGMA user_version = \(migration.version)")
    }
  }

  static func version(of database: Database) throws -> Int {
    try Int.fetchOne(database.cachedStatement(sql: "PRAGMA user_version")) ?? 0
  }
}
