import CSQLiteSession
import DAWModel
import GRDB

/// Protects a connection from a hostile file. Until the schema is verified, and again whenever another process has
/// changed it, no trigger or view of the file runs, and the number of steps is limited.
///
/// Unchecked: used only on its connection's queue.
final class ConnectionGuard: @unchecked Sendable {
  private let path: String
  private let migrator: Migrator
  let budget = StepBudget()
  let lockWait = LockWait()
  /// SQLite's `schema_version` when the schema was verified; it changes with the schema.
  private var knownSchema: Int?
  private var pageSize = 0
  /// Another program's tables in the file.
  private(set) var foreignTables: [String] = []

  init(path: String, migrator: Migrator) {
    self.path = path
    self.migrator = migrator
  }

  /// Sets up the connection before anything is read.
  /// - Parameter keepsLog: whether the write-ahead log is kept when the connection closes, in case the file is not
  ///   ours.
  func prepare(_ database: Database, keepsLog: Bool) {
    ConnectionLimits.set(on: database)
    daw_enable_triggers(database.sqliteConnection, 0)
    if keepsLog { daw_set_switch(database.sqliteConnection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    budget.install(on: database)
  }

  /// Called first in each transaction. Ignores files that are newer than this program, whose schema is unknown; the
  /// caller refuses them.
  /// - Throws: `StoreError.schemaDiffers`, `DatabaseError`.
  func begin(_ database: Database) throws {
    budget.beginSchema()
    let schema = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version")) ?? 0
    if schema != knownSchema { try verify(database, schema) }
    try allowSteps(database)
  }

  /// Called first in the transaction that repairs the schema: as `begin`, but the schema is not verified.
  func beginRepair(_ database: Database) throws {
    budget.beginSchema()
    try allowSteps(database)
  }

  private func allowSteps(_ database: Database) throws {
    if pageSize == 0 { pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0 }
    let pageCount = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA page_count")) ?? 0
    budget.begin(byteCount: pageCount * pageSize)
  }

  private func verify(_ database: Database, _ schema: Int) throws {
    let version = try Migrator.version(of: database)
    // A file that is being created has no version yet.
    if version < 1, knownSchema == nil { return }
    guard version >= 1 else {
      throw StoreError.damaged(path: path, detail: "its version is \(version); versions begin at 1")
    }
    guard version <= migrator.currentVersion else { return }
    let comparison = try migrator.comparison(SchemaListing(of: database), version: version, in: database)
    guard comparison.differences.isEmpty else {
      throw StoreError.schemaDiffers(path: path, differences: comparison.differences.map(\.description))
    }
    daw_enable_triggers(database.sqliteConnection, 1)
    daw_set_switch(database.sqliteConnection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    foreignTables = comparison.foreignTables
    knownSchema = schema
  }
}
