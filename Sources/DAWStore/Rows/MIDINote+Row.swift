import CSQLiteSession
import DAWModel
import DAWTime
import GRDB

/// Projects have millions of notes, so they are bound and read through SQLite's C API, twice as fast as with GRDB's
/// arguments and rows.
extension MIDINote: BulkRow {
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

  static func insert(_ notes: [MIDINote], in database: Database, _ recorder: ChangeRecorder?) throws {
    guard let recording = try recorder?.recordingOfInsertions(into: table) else {
      return try insert(notes, in: database)
    }
    try recording.directly { changes in
      try insert(notes, in: database)
      changes.insert(notes, \.numbers)
    }
  }

  static func update(_ notes: [MIDINote], in database: Database, _ recorder: ChangeRecorder?) throws {
    try inBulk(notes.count, in: database) {
      guard notes.count >= bulkCount, let recording = try recorder?.recordingOfUpdates(of: table) else {
        return try run(sql.update, 1, with: notes[...], in: database)
      }
      try recording.directly { changes in
        var isPlaced = false
        try forEachStored(of: notes, in: database) { old, note in
          let new = note.numbers
          if !isPlaced { isPlaced = (1...3).contains { old[$0] != new[$0] } }
          changes.update(old, to: new)
        }
        try run(isPlaced ? sql.update : updateInPlaceSQL, 1, with: notes[...], in: database)
      }
    }
  }

  /// Does not assign the columns of the index and the foreign key: SQLite would update these even if the values are the
  /// same.
  private static let updateInPlaceSQL = """
    UPDATE midiNote SET pitch = ?5, velocity = ?6, channel = ?7, releaseVelocity = ?8 WHERE id = ?1
    """

  /// The stored columns of notes, each with the note that replaces it.
  private static func forEachStored(
    of notes: [MIDINote], in database: Database, _ body: (InlineArray<8, Int64>, MIDINote) -> Void
  ) throws {
    let sql = "\(sql.select) midiNote WHERE id = ?"
    let handle = try database.cachedStatement(sql: sql).sqliteStatement
    defer { sqlite3_reset(handle) }
    for note in notes {
      sqlite3_bind_int64(handle, 1, note.id.rawValue)
      switch sqlite3_step(handle) {
      case SQLITE_ROW: body(InlineArray { sqlite3_column_int64(handle, Int32($0)) }, note)
      case SQLITE_DONE: break
      default: throw database.newestError(of: sql)
      }
      sqlite3_reset(handle)
    }
  }

  /// Notes in order of region, start and id.
  ///
  /// SQLite returns them in the order of its index, in which notes of the same start are in order of length. They are
  /// sorted by id here, since sorting in SQLite would take as long as the reading.
  /// - Throws: as `fetch`.
  static func fetchByPlace(
    _ condition: String = "", _ arguments: StatementArguments = [], in database: Database
  ) throws -> [MIDINote] {
    var notes = try fetch("\(condition) ORDER BY region, startTime, duration, id", arguments, in: database)
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
}
