import CSQLiteSession
import DAWModel
import GRDB

/// Projects may have a million points; see `MIDINote`.
extension LanePoint: BulkRow {
  func bind(to handle: OpaquePointer?, from first: Int32) {
    sqlite3_bind_int64(handle, first, id.rawValue)
    sqlite3_bind_int64(handle, first + 1, lane.rawValue)
    sqlite3_bind_int64(handle, first + 2, position)
    sqlite3_bind_double(handle, first + 3, value)
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(handle, first + 4, shape.rawValue, -1, transient)
  }

  static func insert(_ points: [LanePoint], in database: Database, _ recorder: ChangeRecorder?) throws {
    guard let recording = try recorder?.recordingOfInsertions(into: table) else {
      return try insert(points, in: database)
    }
    try recording.directly { changes in
      try insert(points, in: database)
      for point in points {
        changes.insert(
          [point.id.rawValue, point.lane.rawValue, point.position], point.value, text: point.shape.rawValue)
      }
    }
  }

  static func update(_ points: [LanePoint], in database: Database, _ recorder: ChangeRecorder?) throws {
    try inBulk(points.count, in: database) { try run(sql.update, 1, with: points[...], in: database) }
  }
}
