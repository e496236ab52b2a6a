import DAWModel
import DAWTime
import GRDB

extension ProjectView {
  /// What joins the project's clocks.
  public func tempoMap() throws -> TempoMap {
    let (settings, tempos, meters) = (try header().settings, try tempoMarks(), try meterMarks())
    do {
      return try TempoMap(settings, tempoMarks: tempos, meterMarks: meters)
    } catch {
      throw BrokenRow(violation: RuleViolation(.markIsOnce, value: "\(error)"), table: "tempoMark", id: 0)
    }
  }

  /// In order of place.
  public func tempoMarks() throws -> [TempoMark] { try marks(ordered: "startTime") }
  /// In order of place.
  public func meterMarks() throws -> [MeterMark] { try marks(ordered: "bar") }
  /// In order of place.
  public func keyMarks() throws -> [KeyMark] { try marks(ordered: "startTime") }

  /// In order of place on the absolute timeline, then of id.
  public func markers() throws -> [Marker] {
    let map = try tempoMap()
    return try (marks(ordered: "id") as [Marker]).map { (marker: $0, start: map.flicks(at: $0.start)) }
      .sorted { ($0.start, $0.marker.id) < ($1.start, $1.marker.id) }.map(\.marker)
  }

  /// Case and Unicode form do not matter. In order of id.
  public func markers(named name: String) throws -> [Marker] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(Marker.columns) FROM marker WHERE nameKey = ? ORDER BY id"),
      arguments: [Name.key(of: name)]
    ).map(Marker.init(row:))
  }

  public func mark(_ id: TimelineMark.ID) throws -> TimelineMark? { try tables.mark(id) }

  /// Everything that stands on the timeline itself.
  func marks() throws -> [TimelineMark] {
    try tempoMarks().map(TimelineMark.tempo) + meterMarks().map(TimelineMark.meter) + keyMarks().map(TimelineMark.key)
      + (marks(ordered: "id") as [Marker]).map(TimelineMark.marker)
  }

  private func marks<Mark: StoredMark>(ordered column: String) throws -> [Mark] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(Mark.columns) FROM \(Mark.table) ORDER BY \(column), id")
    ).map(Mark.init(row:))
  }
}
