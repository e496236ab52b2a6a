import CSQLiteSession
import DAWModel
import DAWTime
import GRDB

/// Applies `Edit`s to the project file; touches only the affected rows. Valid only inside a transaction.
struct StoredTables: ModelTables {
  let database: Database
  /// The recorder of the edit in progress; `nil` if nothing is changed, or no rows need to be recorded directly.
  var recorder: ChangeRecorder?
  var memory: ViewMemory?

  func row<E: Entity>(_ id: Identifier<E>) throws -> E? {
    if let row = memory?.row(id) { return row }
    let row = try E.fetchOne(id, in: database)
    if let row { memory?.keep(row) }
    return row
  }

  func rows<E: Entity>(_ entity: E.Type, where column: String, is value: some StorableValue) throws -> [E] {
    try E.fetch("WHERE \(column) = ? ORDER BY id", [value.stored.databaseValue], in: database)
  }

  func firstID<E: Entity>(
    of entity: E.Type, where column: String, is value: some StorableValue, besides excluded: Identifier<E>?
  ) throws -> Identifier<E>? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM \(E.table) WHERE \(column) = ? AND id <> ? ORDER BY id LIMIT 1"),
      arguments: [value.stored.databaseValue, excluded?.rawValue ?? 0]
    ).map(Identifier.init(rawValue:))
  }

  func firstPresent<E: Entity>(of ids: [Identifier<E>]) throws -> Identifier<E>? {
    // New rows have the highest ids, so comparing with the maximum usually decides.
    let highest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM \(E.table)")) ?? 0
    return try first(of: ids) { id, isThere in id <= highest && isThere() }
  }

  func firstAbsent<E: Entity>(of ids: [Identifier<E>]) throws -> Identifier<E>? {
    try first(of: ids) { _, isThere in !isThere() }
  }

  /// The first id that satisfies a condition; the condition may test whether the row exists.
  private func first<E: Entity>(
    of ids: [Identifier<E>], that condition: (Int64, () -> Bool) -> Bool
  ) throws -> Identifier<E>? {
    let sql = "SELECT 1 FROM \(E.table) WHERE id = ?"
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(handle) }
    var status = SQLITE_DONE
    for id in ids {
      let isFound = condition(id.rawValue) {
        sqlite3_bind_int64(handle, 1, id.rawValue)
        status = sqlite3_step(handle)
        sqlite3_reset(handle)
        return status == SQLITE_ROW
      }
      guard status == SQLITE_ROW || status == SQLITE_DONE else { throw database.newestError(of: sql) }
      if isFound { return id }
    }
    return nil
  }

  func stereoRegion(of track: TrackID) throws -> Region? {
    try Region.fetch("WHERE track = ? AND audioFile IS NOT NULL ORDER BY id", [track.rawValue], in: database).first {
      guard let span = $0.audio, let file = try row(span.file) else { return false }
      return span.channels.width(ofFileWith: file.channelCount) == 2
    }
  }

  func points(of lane: LaneID, within positions: ClosedRange<Int64>) throws -> [LanePoint] {
    try LanePoint.fetch(
      "WHERE lane = ? AND position BETWEEN ? AND ? ORDER BY position, id",
      [lane.rawValue, positions.lowerBound, positions.upperBound], in: database)
  }

  func noteCount(in region: RegionID, endingAfter end: TickCount) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM midiNote WHERE region = ? AND startTime + duration > ?"),
      arguments: [region.rawValue, end.ticks]) ?? 0
  }

  func eventCount(in region: RegionID, after end: TickCount) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM midiEvent WHERE region = ? AND startTime > ?"),
      arguments: [region.rawValue, end.ticks]) ?? 0
  }

  // MARK: Changes

  func write(_ settings: ProjectSettings) throws {
    let names = ProjectSettings.fields.map { "\($0.name) = ?" }.joined(separator: ", ")
    try run("UPDATE project SET \(names)", settings.arguments)
  }

  func insert<E: Entity>(_ rows: [E]) throws {
    if let bulk = rows as? any BulkArray { return try bulk.insert(in: database, recorder) }
    for row in rows { try run(E.sql.insert, row.arguments) }
  }

  func update<E: Entity>(_ rows: [E]) throws {
    if let bulk = rows as? any BulkArray { return try bulk.update(in: database, recorder) }
    for row in rows { try run(E.sql.update, row.arguments) }
  }

  func delete<E: Entity>(_ ids: [Identifier<E>]) throws {
    let sql = E.sql.delete
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(handle) }
    for id in ids {
      sqlite3_bind_int64(handle, 1, id.rawValue)
      guard sqlite3_step(handle) == SQLITE_DONE else { throw database.newestError(of: sql) }
      sqlite3_reset(handle)
    }
  }

  private func run(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

extension ProjectSettings {
  static let columns = fields.map(\.name).joined(separator: ", ")

  var arguments: StatementArguments { StatementArguments(Self.fields.map { $0.value(self).databaseValue }) }

  /// - Parameter first: the index of the first of `columns` in the row.
  /// - Throws: `BrokenRow`.
  init(_ row: StatementRow, from first: Int) throws {
    self.init()
    do throws(RuleViolation) {
      try Field.read(Self.fields, of: row, from: first, into: &self)
      try validate()
    } catch {
      throw BrokenRow(violation: error, table: "project", id: 1)
    }
  }
}

extension Database {
  /// The error of the last SQLite call that failed.
  func newestError(of sql: String) -> DatabaseError {
    DatabaseError(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection)),
      message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql)
  }
}
