import DAWModel
import DAWTime
import GRDB

extension StoredTables {
  func eventCount(in region: RegionID, after end: TickCount) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM midiEvent WHERE region = ? AND startTime > ?"),
      arguments: [region.rawValue, end.ticks]) ?? 0
  }
  func event(_ id: EventID) throws -> RegionEvent? {
    try RegionEvent.fetch(
      "SELECT \(RegionEvent.columns) FROM midiEvent WHERE id = ?", arguments: [id.rawValue], in: database
    ).first
  }
  func firstPresent(of events: [EventID]) throws -> EventID? {
    // New events lie above all others, so that the highest id mostly tells.
    let highest = try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(id) FROM midiEvent")) ?? 0
    return try events.first { try $0.rawValue <= highest && isPresent($0) }
  }
  func firstAbsent(of events: [EventID]) throws -> EventID? { try events.first { try !isPresent($0) } }
  private func isPresent(_ event: EventID) throws -> Bool {
    try Bool.fetchOne(
      database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM midiEvent WHERE id = ?)"),
      arguments: [event.rawValue]) ?? false
  }

  func insert(_ events: [RegionEvent]) throws {
    try RegionEvent.insert(events, in: database, recorder)
  }
  func update(_ events: [RegionEvent]) throws {
    try RegionEvent.update(events, in: database)
  }
  func delete(_ events: [EventID]) throws {
    for event in events { try run("DELETE FROM midiEvent WHERE id = ?", [event.rawValue]) }
  }
}
