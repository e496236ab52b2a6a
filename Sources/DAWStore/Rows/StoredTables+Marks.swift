import DAWModel
import GRDB

extension StoredTables {
  func mark(_ id: TimelineMark.ID) throws -> TimelineMark? {
    switch id {
    case .tempo(let id): try stored(TempoMark.self, id.rawValue)
    case .meter(let id): try stored(MeterMark.self, id.rawValue)
    case .key(let id): try stored(KeyMark.self, id.rawValue)
    case .marker(let id): try stored(Marker.self, id.rawValue)
    }
  }

  func rival(of mark: TimelineMark) throws -> TimelineMark.ID? {
    switch mark {
    case .tempo(let mark):
      try id(in: "tempoMark", at: "startTime", mark.position.ticks, besides: mark.id.rawValue)
        .map { .tempo(TempoMarkID(rawValue: $0)) }
    case .meter(let mark):
      try id(in: "meterMark", at: "bar", mark.bar, besides: mark.id.rawValue)
        .map { .meter(MeterMarkID(rawValue: $0)) }
    case .key(let mark):
      try id(in: "keyMark", at: "startTime", mark.position.ticks, besides: mark.id.rawValue)
        .map { .key(KeyMarkID(rawValue: $0)) }
    case .marker: nil
    }
  }

  func insert(_ mark: TimelineMark) throws {
    let stored = mark.stored
    try run(type(of: stored).insertSQL, stored.arguments)
  }
  func update(_ mark: TimelineMark) throws {
    let stored = mark.stored
    try run(type(of: stored).updateSQL, stored.arguments)
  }
  func delete(_ mark: TimelineMark.ID) throws {
    switch mark {
    case .tempo(let id): try run("DELETE FROM tempoMark WHERE id = ?", [id.rawValue])
    case .meter(let id): try run("DELETE FROM meterMark WHERE id = ?", [id.rawValue])
    case .key(let id): try run("DELETE FROM keyMark WHERE id = ?", [id.rawValue])
    case .marker(let id): try run("DELETE FROM marker WHERE id = ?", [id.rawValue])
    }
  }

  private func stored<Mark: StoredMark>(_ type: Mark.Type, _ id: Int64) throws -> TimelineMark? {
    try first(Mark.table, Mark.columns, id, Mark.init(row:))?.mark
  }

  private func id(in table: String, at column: String, _ place: Int64, besides id: Int64) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT id FROM \(table) WHERE \(column) = ? AND id <> ? ORDER BY id LIMIT 1"),
      arguments: [place, id])
  }
}

extension TimelineMark {
  var stored: any StoredMark {
    switch self {
    case .tempo(let mark): mark
    case .meter(let mark): mark
    case .key(let mark): mark
    case .marker(let mark): mark
    }
  }
}
