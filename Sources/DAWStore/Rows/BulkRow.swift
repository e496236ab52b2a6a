import CSQLiteSession
import DAWModel
import GRDB

/// An entity with millions of rows: they are bound and read through SQLite's C API, and many are inserted by one
/// statement.
///
/// What a conformance writes by hand must name the same columns as `fields`; a test compares them.
protocol BulkRow: Entity {
  /// Binds the id and every field to parameters of a statement, in order. Bytes are copied.
  func bind(to handle: OpaquePointer?, from first: Int32)

  /// Inserts rows. They have been validated together with their regions; in bulk, only `CHECK`s and foreign keys check
  /// them again.
  /// - Throws: `DatabaseError` of the first row that SQLite refuses, or of the group that contains it.
  static func insert(_ rows: [Self], in database: Database, _ recorder: ChangeRecorder?) throws
  /// Updates rows, under the same conditions.
  static func update(_ rows: [Self], in database: Database, _ recorder: ChangeRecorder?) throws
}

/// An array of such rows whose entity is known only at run time.
protocol BulkArray {
  func insert(in database: Database, _ recorder: ChangeRecorder?) throws
  func update(in database: Database, _ recorder: ChangeRecorder?) throws
}

extension Array: BulkArray where Element: BulkRow {
  func insert(in database: Database, _ recorder: ChangeRecorder?) throws {
    try Element.insert(self, in: database, recorder)
  }
  func update(in database: Database, _ recorder: ChangeRecorder?) throws {
    try Element.update(self, in: database, recorder)
  }
}

extension BulkRow {
  /// From this many rows, triggers take longer than turning them off and on again.
  static var bulkCount: Int { 1000 }

  /// The number of rows per statement: more save little, since beginning and ending a statement costs as much as a row.
  private static var togetherCount: Int { 64 }

  /// - Throws: `DatabaseError` of the first row that SQLite refuses, or of the group that contains it.
  static func insert(_ rows: [Self], in database: Database) throws {
    let together = rows.count - rows.count % togetherCount
    try inBulk(rows.count, in: database) {
      if together > 0 {
        let place = "(" + sql.columnNames.map { _ in "?" }.joined(separator: ", ") + ")"
        let places = Array(repeating: place, count: togetherCount).joined(separator: ", ")
        try run(
          "INSERT INTO \(table) (\(sql.columns)) VALUES " + places, togetherCount, with: rows[..<together], in: database
        )
      }
      try run(sql.insert, 1, with: rows[together...], in: database)
    }
  }

  /// Runs `body` with triggers off if there are many rows; `CHECK`s and foreign keys are enforced in any case.
  static func inBulk(_ count: Int, in database: Database, _ body: () throws -> Void) rethrows {
    let isBulk = count >= bulkCount
    if isBulk { daw_enable_triggers(database.sqliteConnection, 0) }
    defer { if isBulk { daw_enable_triggers(database.sqliteConnection, 1) } }
    try body()
  }

  /// Runs a statement with parameters for every column of `together` rows.
  /// - Parameter rows: their count is a multiple of `together`.
  static func run(_ statement: String, _ together: Int, with rows: ArraySlice<Self>, in database: Database) throws {
    guard !rows.isEmpty else { return }
    let handle = try database.cachedStatement(sql: statement).sqliteStatement
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    let columnCount = Int32(sql.columnNames.count)
    var parameter: Int32 = 1
    for row in rows {
      row.bind(to: handle, from: parameter)
      parameter += columnCount
      guard parameter > columnCount * Int32(together) else { continue }
      guard sqlite3_step(handle) == SQLITE_DONE else { throw database.newestError(of: statement) }
      sqlite3_reset(handle)
      parameter = 1
    }
  }
}
