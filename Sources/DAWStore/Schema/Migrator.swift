import DAWModel
import Foundation
import GRDB

/// A step from one schema version to the next.
///
/// It only appends columns that have defaults, and adds tables, so that stored changesets still apply; or it converts them
/// in the same transaction.
struct Migration: Sendable {
  /// The version that it leads to.
  var version: Int
  var sql: String
}

/// Brings a file to the newest schema version.
enum Migrator {
  /// The steps after version 1, in order. One that was released is never edited.
  static let migrations: [Migration] = []

  static var currentVersion: Int { migrations.last?.version ?? 1 }

  /// Runs the steps that a file lacks, in the caller's transaction.
  static func migrate(_ database: Database, with migrations: [Migration] = migrations) throws {
    let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
    for migration in migrations where migration.version > version {
      try database.execute(sql: migration.sql)
      try database.execute(sql: "PRAGMA user_version = \(migration.version)")
    }
  }
}

extension ProjectStore {
  /// Migrates the file itself, after a backup.
  /// - Parameter backup: where the copy of the older file goes.
  /// - Returns: the version that it had.
  public func upgrade(backup: String) throws -> Int { try upgrade(backup: backup, migrations: Migrator.migrations) }

  func upgrade(backup: String, migrations: [Migration]) throws -> Int {
    if case .readOnly(let reason) = access { throw StoreError.readOnly(path: path, reason: reason) }
    let version = try translatingErrors(path) {
      try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    }
    guard version < migrations.last?.version ?? 1 else { return version }
    try vacuum(into: backup)
    try write { database in
      try Migrator.migrate(database, with: migrations)
      return (.commit, ())
    }
    return version
  }

  /// A whole copy of the file as it is now, made while others may write.
  /// - Parameter copy: of a file that is not there.
  public func vacuum(into copy: String) throws {
    guard !FileManager.default.fileExists(atPath: copy) else { throw StoreError.exists(path: copy) }
    try translatingErrors(copy) {
      try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM INTO ?", arguments: [copy]) }
    }
  }

  /// A copy in memory at the newest version, which cannot be edited.
  func migratedForReading() throws -> ProjectStore {
    let memory = try DatabaseQueue(configuration: Self.configuration())
    try queue.backup(to: memory)
    try queue.close()
    try memory.write { try Migrator.migrate($0) }
    return ProjectStore(
      queue: memory, path: path,
      access: .readOnly(reason: "it is of an older version of daw; 'daw upgrade' brings it up to date"), clock: clock)
  }
}
