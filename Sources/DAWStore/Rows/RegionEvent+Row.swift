import CSQLiteSession
import DAWModel
import DAWTime
import GRDB

/// Projects have millions of events; see `MIDINote`.
extension RegionEvent: BulkRow {
  func bind(to handle: OpaquePointer?, from first: Int32) {
    let numbers: InlineArray<5, Int64> = [
      id.rawValue, region.rawValue, start.ticks, Int64(message.kind.rawValue), Int64(channel),
    ]
    for column in 0..<5 { sqlite3_bind_int64(handle, first + Int32(column), numbers[column]) }
    let (number, value, bytes) = message.columns
    Self.bind(number, to: handle, at: first + 5)
    Self.bind(value, to: handle, at: first + 6)
    guard let bytes else {
      sqlite3_bind_null(handle, first + 7)
      return
    }
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // An empty array may have no address, and SQLite would store NULL for it.
    if bytes.isEmpty {
      sqlite3_bind_zeroblob(handle, first + 7, 0)
    } else {
      bytes.withUnsafeBytes { _ = sqlite3_bind_blob(handle, first + 7, $0.baseAddress, Int32($0.count), transient) }
    }
  }

  private static func bind(_ number: Int?, to handle: OpaquePointer?, at parameter: Int32) {
    if let number { sqlite3_bind_int64(handle, parameter, Int64(number)) } else { sqlite3_bind_null(handle, parameter) }
  }

  static func insert(_ events: [RegionEvent], in database: Database, _ recorder: ChangeRecorder?) throws {
    guard let recording = try recorder?.recordingOfInsertions(into: table) else {
      return try insert(events, in: database)
    }
    try recording.directly { changes in
      try insert(events, in: database)
      for event in events { event.record(in: &changes) }
    }
  }

  static func update(_ events: [RegionEvent], in database: Database, _ recorder: ChangeRecorder?) throws {
    try inBulk(events.count, in: database) { try run(sql.update, 1, with: events[...], in: database) }
  }

  private func record(in changes: inout DirectChanges) {
    let (number, value, bytes) = message.columns
    changes.insert(
      [
        id.rawValue, region.rawValue, start.ticks, Int64(message.kind.rawValue), Int64(channel),
        number.map(Int64.init), value.map(Int64.init),
      ], bytes)
  }
}
