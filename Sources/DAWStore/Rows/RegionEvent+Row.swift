import CSQLiteSession
import DAWModel
import DAWTime
import GRDB

/// Events come by the million, as notes do.
extension RegionEvent: BulkRow {
  static let table = "midiEvent"
  static let columns = "id, region, startTime, kind, channel, number, value, bytes"
  static let insertSQL = "INSERT INTO midiEvent (\(columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
  static let updateSQL = """
    UPDATE midiEvent SET region = ?2, startTime = ?3, kind = ?4, channel = ?5, number = ?6, value = ?7, bytes = ?8
    WHERE id = ?1
    """

  func bind(to handle: OpaquePointer?, from first: Int32) {
    let numbers: InlineArray<5, Int64> = [
      id.rawValue, region.rawValue, start.ticks, Int64(message.kind.rawValue), Int64(channel),
    ]
    for column in 0..<5 { sqlite3_bind_int64(handle, first + Int32(column), numbers[column]) }
    let (number, value, bytes) = message.stored
    Self.bind(number, to: handle, at: first + 5)
    Self.bind(value, to: handle, at: first + 6)
    guard let bytes else {
      sqlite3_bind_null(handle, first + 7)
      return
    }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // An empty array has no address, and a blob without one would be NULL.
    if bytes.isEmpty {
      sqlite3_bind_zeroblob(handle, first + 7, 0)
    } else {
      bytes.withUnsafeBytes { _ = sqlite3_bind_blob(handle, first + 7, $0.baseAddress, Int32($0.count), transient) }
    }
  }

  private static func bind(_ number: Int?, to handle: OpaquePointer?, at parameter: Int32) {
    if let number { sqlite3_bind_int64(handle, parameter, Int64(number)) } else { sqlite3_bind_null(handle, parameter) }
  }

  /// Adds events. They have been validated with their regions: in bulk, only `CHECK`s and foreign keys judge them again.
  /// - Throws: `DatabaseError` of the first event that SQLite refuses, or of those that it is given with.
  static func insert(_ events: [RegionEvent], in database: Database, _ recorder: ChangeRecorder?) throws {
    guard let recording = try recorder?.recordingOfInsertions(into: table) else {
      return try insert(events, in: database)
    }
    try recording.directly { changes in
      try insert(events, in: database)
      for event in events { event.record(in: &changes) }
    }
  }

  /// Changes events, under the same conditions.
  static func update(_ events: [RegionEvent], in database: Database) throws {
    try inBulk(events.count, in: database) { try run(updateSQL, 1, with: events[...], in: database) }
  }

  private func record(in changes: inout DirectChanges) {
    let (number, value, bytes) = message.stored
    changes.insert(
      [
        id.rawValue, region.rawValue, start.ticks, Int64(message.kind.rawValue), Int64(channel),
        number.map(Int64.init), value.map(Int64.init),
      ], bytes)
  }

  /// The events that a query gives, of which the columns are `columns` in order.
  /// - Throws: `BrokenRow` of the first that breaks a rule of its own.
  static func fetch(_ sql: String, arguments: StatementArguments = [], in database: Database) throws -> [RegionEvent] {
    var events: [RegionEvent] = []
    try forEach(sql, arguments: arguments, in: database) { id, event in
      do throws(RuleViolation) {
        let event = try event.get()
        try event.validate()
        events.append(event)
      } catch {
        throw BrokenRow(violation: error, table: "midiEvent", id: id)
      }
    }
    return events
  }

  /// One by one, whatever rules they break.
  /// - Parameter body: is given the row's id, and the event, or the rule that keeps the row from being one.
  static func forEach(
    _ sql: String, arguments: StatementArguments = [], in database: Database,
    _ body: (Int64, Result<RegionEvent, RuleViolation>) throws -> Void
  ) throws {
    let statement = try database.cachedStatement(sql: sql)
    try statement.setArguments(arguments)
    let handle = statement.sqliteStatement
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        let id = sqlite3_column_int64(handle, 0)
        try body(id, Result { () throws(RuleViolation) in try RegionEvent(handle) })
      case SQLITE_DONE: return
      default: throw newestError(of: sql, in: database)
      }
    }
  }

  private init(_ handle: OpaquePointer?) throws(RuleViolation) {
    func number(_ column: Int32) -> Int? {
      sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(handle, column))
    }
    var bytes: [UInt8]?
    if sqlite3_column_type(handle, 7) != SQLITE_NULL {
      let count = Int(sqlite3_column_bytes(handle, 7))
      bytes = sqlite3_column_blob(handle, 7).map { [UInt8](UnsafeRawBufferPointer(start: $0, count: count)) } ?? []
    }
    self.init(
      id: EventID(rawValue: sqlite3_column_int64(handle, 0)),
      region: RegionID(rawValue: sqlite3_column_int64(handle, 1)),
      start: TickCount(ticks: sqlite3_column_int64(handle, 2)), channel: number(4) ?? 0,
      message: try Message(stored: number(3) ?? 0, number: number(5), value: number(6), bytes: bytes))
  }
}

extension RegionEvent.Message {
  /// The columns `number`, `value` and `bytes`.
  var stored: (number: Int?, value: Int?, bytes: [UInt8]?) {
    switch self {
    case .controller(let number, let value): (number, value, nil)
    case .pitchBend(let value), .channelPressure(let value): (nil, value, nil)
    case .program(let program, let bank): (bank, program, nil)
    case .polyPressure(let pitch, let value): (pitch, value, nil)
    case .systemExclusive(let bytes): (nil, nil, bytes)
    case .meta(let type, let bytes): (type, nil, bytes)
    }
  }

  /// - Throws: where the columns do not belong together.
  init(stored kind: Int, number: Int?, value: Int?, bytes: [UInt8]?) throws(RuleViolation) {
    switch (Kind(rawValue: kind), number, value, bytes) {
    case (.controller, let number?, let value?, nil): self = .controller(number: number, value: value)
    case (.pitchBend, nil, let value?, nil): self = .pitchBend(value)
    case (.program, let bank, let program?, nil): self = .program(program, bank: bank)
    case (.channelPressure, nil, let value?, nil): self = .channelPressure(value)
    case (.polyPressure, let pitch?, let value?, nil): self = .polyPressure(pitch: pitch, value: value)
    case (.systemExclusive, nil, nil, let bytes?): self = .systemExclusive(bytes)
    case (.meta, let type?, nil, let bytes?): self = .meta(type: type, bytes)
    case (nil, _, _, _): throw RuleViolation(.eventKind, value: "the kind \(kind)")
    case (let kind?, _, _, _):
      let isOfBytes = (bytes != nil) == kind.hasChannel
      throw RuleViolation(isOfBytes ? .eventBytes : .eventValue, value: "a \(kind) without its values")
    }
  }
}
