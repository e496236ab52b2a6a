import CSQLiteSession
import DAWModel
import DAWTime
import GRDB

/// Notes come by the million, so they are bound and read through SQLite's own handles: twice as fast as by arguments and
/// rows.
extension MIDINote: BulkRow {
  static let table = "midiNote"
  static let columns = "id, region, startTime, duration, pitch, velocity, channel, releaseVelocity"
  static let insertSQL = "INSERT INTO midiNote (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
  static let updateSQL = """
    UPDATE midiNote SET region = ?2, startTime = ?3, duration = ?4, pitch = ?5, velocity = ?6, channel = ?7,
      releaseVelocity = ?8 WHERE id = ?1
    """

  private var numbers: InlineArray<8, Int64> {
    [
      id.rawValue, region.rawValue, start.ticks, duration.ticks, Int64(pitch), Int64(velocity), Int64(channel),
      Int64(releaseVelocity),
    ]
  }

  func bind(to handle: OpaquePointer?, from first: Int32) {
    let numbers = numbers
    for column in 0..<8 { sqlite3_bind_int64(handle, first + Int32(column), numbers[column]) }
  }

  /// Adds notes. They have been validated with their regions: in bulk, only `CHECK`s and foreign keys judge them again.
  /// - Throws: `DatabaseError` of the first note that SQLite refuses, or of those that it is given with.
  static func insert(_ notes: [MIDINote], in database: Database, _ recorder: ChangeRecorder?) throws {
    guard let recording = try recorder?.recordingOfInsertions(into: table) else {
      return try insert(notes, in: database)
    }
    try recording.directly { changes in
      try insert(notes, in: database)
      changes.insert(notes, \.numbers)
    }
  }

  /// Changes notes, under the same conditions.
  static func update(_ notes: [MIDINote], in database: Database, _ recorder: ChangeRecorder?) throws {
    try inBulk(notes.count, in: database) {
      guard notes.count >= bulkCount, let recording = try recorder?.recordingOfUpdates(of: table) else {
        return try run(updateSQL, 1, with: notes[...], in: database)
      }
      try recording.directly { changes in
        var isPlaced = false
        try forEachStored(of: notes, in: database) { old, note in
          let new = note.numbers
          if !isPlaced { isPlaced = (1...3).contains { old[$0] != new[$0] } }
          changes.update(old, to: new)
        }
        try run(isPlaced ? updateSQL : updateInPlaceSQL, 1, with: notes[...], in: database)
      }
    }
  }

  /// Leaves alone what the index and the reference stand on: they would be written anew, also with what they are.
  private static let updateInPlaceSQL = """
    UPDATE midiNote SET pitch = ?5, velocity = ?6, channel = ?7, releaseVelocity = ?8 WHERE id = ?1
    """

  /// The columns of notes as they are stored, each with the note that was asked for.
  private static func forEachStored(
    of notes: [MIDINote], in database: Database, _ body: (InlineArray<8, Int64>, MIDINote) -> Void
  ) throws {
    let sql = "SELECT \(columns) FROM midiNote WHERE id = ?"
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(handle) }
    for note in notes {
      sqlite3_bind_int64(handle, 1, note.id.rawValue)
      switch sqlite3_step(handle) {
      case SQLITE_ROW: body(InlineArray { sqlite3_column_int64(handle, Int32($0)) }, note)
      case SQLITE_DONE: break
      default: throw newestError(of: sql, in: database)
      }
      sqlite3_reset(handle)
    }
  }

  /// - Throws: `DatabaseError`.
  static func delete(_ notes: [NoteID], in database: Database) throws {
    let sql = "DELETE FROM midiNote WHERE id = ?"
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(handle) }
    for note in notes {
      sqlite3_bind_int64(handle, 1, note.rawValue)
      guard sqlite3_step(handle) == SQLITE_DONE else { throw newestError(of: sql, in: database) }
      sqlite3_reset(handle)
    }
  }

  /// The first of these notes that is not there.
  /// - Throws: `DatabaseError`.
  static func firstAbsent(of notes: [NoteID], in database: Database) throws -> NoteID? {
    let sql = "SELECT 1 FROM midiNote WHERE id = ?"
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(handle) }
    for note in notes {
      sqlite3_bind_int64(handle, 1, note.rawValue)
      switch sqlite3_step(handle) {
      case SQLITE_ROW: sqlite3_reset(handle)
      case SQLITE_DONE: return note
      default: throw newestError(of: sql, in: database)
      }
    }
    return nil
  }

  /// The notes that a query gives, of which the columns are `columns` in order.
  /// - Throws: `BrokenRow` of the first that breaks a rule of its own.
  static func fetch(_ sql: String, arguments: StatementArguments = [], in database: Database) throws -> [MIDINote] {
    var notes: [MIDINote] = []
    try forEach(sql, arguments: arguments, in: database) { note in
      do throws(RuleViolation) {
        try note.validate()
      } catch {
        throw BrokenRow(violation: error, table: "midiNote", id: note.id.rawValue)
      }
      notes.append(note)
    }
    return notes
  }

  /// Notes in order of region, start and id.
  ///
  /// SQLite gives them in the order of their index, where those that begin together are in order of length: to have it
  /// sort these by id would take as long as the reading.
  /// - Throws: as `fetch`.
  static func fetchByPlace(
    _ condition: String = "", arguments: StatementArguments = [], in database: Database
  ) throws -> [MIDINote] {
    var notes = try fetch(
      "SELECT \(columns) FROM midiNote \(condition) ORDER BY region, startTime, duration, id", arguments: arguments,
      in: database)
    var start = 0
    while start < notes.count {
      var end = start + 1
      var isInOrder = true
      while end < notes.count, notes[end].start == notes[start].start, notes[end].region == notes[start].region {
        if notes[end].id < notes[end - 1].id { isInOrder = false }
        end += 1
      }
      if !isInOrder { notes[start..<end].sort { $0.id < $1.id } }
      start = end
    }
    return notes
  }

  /// As they are stored, one by one, whatever rules they break.
  static func forEach(
    _ sql: String, arguments: StatementArguments = [], in database: Database, _ body: (MIDINote) throws -> Void
  ) throws {
    let statement = try database.cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    let handle = statement.sqliteStatement
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        try body(
          MIDINote(
            id: NoteID(rawValue: sqlite3_column_int64(handle, 0)),
            region: RegionID(rawValue: sqlite3_column_int64(handle, 1)), pitch: Int(sqlite3_column_int64(handle, 4)),
            velocity: Int(sqlite3_column_int64(handle, 5)), start: TickCount(ticks: sqlite3_column_int64(handle, 2)),
            duration: TickCount(ticks: sqlite3_column_int64(handle, 3)), channel: Int(sqlite3_column_int64(handle, 6)),
            releaseVelocity: Int(sqlite3_column_int64(handle, 7))))
      case SQLITE_DONE: return
      default: throw newestError(of: sql, in: database)
      }
    }
  }
}
