import CSQLiteSession
import DAWModel
import GRDB

/// Keeps a connection from doing what a hostile file wants: until the schema is known to be ours, and whenever another
/// process has changed it, no trigger and no view of it runs, and little is read.
///
/// Unchecked: used on its connection's queue alone.
final class ConnectionGuard: @unchecked Sendable {
  private let path: String
  private let migrator: Migrator
  let budget = StepBudget()
  /// SQLite's number of the schema that was compared; it changes with the schema.
  private var knownSchema: Int?
  private var pageSize = 0
  /// Another program's tables in the file.
  private(set) var foreignTables: [String] = []

  init(path: String, migrator: Migrator) {
    self.path = path
    self.migrator = migrator
  }

  /// Before anything is read.
  /// - Parameter keepsLog: where the file turns out not to be ours, its log is left as it is.
  func prepare(_ database: Database, keepsLog: Bool) {
    ConnectionLimits.set(on: database)
    daw_enable_triggers(database.sqliteConnection, 0)
    if keepsLog { daw_set_switch(database.sqliteConnection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1) }
    budget.install(on: database)
  }

  /// First thing in a transaction. A file that is newer than this program is left to the caller: its schema cannot be known.
  /// - Throws: `StoreError.schemaDiffers`, `DatabaseError`.
  func begin(_ database: Database) throws {
    budget.beginSchema()
    let schema = try Int.fetchOne(database.cachedStatement(sql: "PRAGMA schema_version")) ?? 0
    if schema != knownSchema { try verify(database, schema) }
    try allowSteps(database)
  }

  /// The same for the transaction that makes the schema what it should be.
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
    // A file in the making has none yet.
    if version < 1, knownSchema == nil { return }
    guard version >= 1 else {
      throw StoreError.damaged(path: path, detail: "its version is \(version), and there is none below 1")
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
