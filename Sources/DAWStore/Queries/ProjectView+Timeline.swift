import DAWModel
import DAWTime
import GRDB

extension ProjectView {
  /// The project's tempo map.
  public func tempoMap() throws -> TempoMap {
    if let map = memory.tempoMap { return map }
    let (settings, tempos, meters) = (try header().settings, try tempoChanges(), try meterChanges())
    do {
      let map = try TempoMap(settings, tempoChanges: tempos, meterChanges: meters)
      memory.tempoMap = map
      return map
    } catch {
      throw BrokenRow(violation: RuleViolation(.markIsOnce, value: "\(error)"), table: "tempoChange", id: 0)
    }
  }

  /// In order of position.
  public func tempoChanges() throws -> [TempoChange] { try TempoChange.fetch("ORDER BY startTime, id", in: database) }
  /// The first change of tempo after a position; `nil` if there is none.
  public func tempoChange(after position: TickPosition) throws -> TempoChange? {
    try TempoChange.fetch("WHERE startTime > ? ORDER BY startTime, id LIMIT 1", [position.ticks], in: database).first
  }

  /// In order of position.
  public func meterChanges() throws -> [MeterChange] { try MeterChange.fetch("ORDER BY bar, id", in: database) }
  /// In order of position.
  public func keySignatures() throws -> [KeySignature] {
    try KeySignature.fetch("ORDER BY startTime, id", in: database)
  }

  /// In order of position on the absolute timeline, then of id.
  public func markers() throws -> [Marker] {
    let map = try tempoMap()
    return try Marker.fetch("ORDER BY id", in: database).map { (marker: $0, start: map.flicks(at: $0.start)) }
      .sorted { ($0.start, $0.marker.id) < ($1.start, $1.marker.id) }.map(\.marker)
  }

  /// Ignores case and Unicode form. In order of id.
  public func markers(named name: String) throws -> [Marker] {
    try Marker.fetch("WHERE nameKey = ? ORDER BY id", [Name.key(of: name)], in: database)
  }
}
