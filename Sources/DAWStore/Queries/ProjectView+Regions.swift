import DAWModel
import DAWTime
import GRDB

/// Which regions are wanted.
public struct RegionFilter: Sendable {
  public var track: TrackID?
  public var type: RegionType?
  /// Only what sounds at or after this place.
  public var from: FlickPosition?
  /// Only what begins before this place.
  public var to: FlickPosition?
  /// Only what begins within the range, not what merely lies in it.
  public var isStarting = false
  /// At most so many, the earliest first.
  public var limit: Int?
  public var offset = 0

  public init(
    track: TrackID? = nil, type: RegionType? = nil, from: FlickPosition? = nil, to: FlickPosition? = nil,
    isStarting: Bool = false, limit: Int? = nil, offset: Int = 0
  ) {
    self.track = track
    self.type = type
    self.from = from
    self.to = to
    self.isStarting = isStarting
    self.limit = limit
    self.offset = offset
  }
}

extension ProjectView {
  public func region(_ id: RegionID) throws -> Region? { try tables.region(id) }

  /// In order of start on the absolute timeline, then of id.
  public func regions(_ filter: RegionFilter = RegionFilter()) throws -> [Region] {
    let map = try tempoMap()
    let found = try Clock.all.flatMap { try candidates(filter, $0, map) }
      .map { (region: $0, start: $0.startFlicks(in: map), end: $0.endFlicks(in: map)) }
      .filter { entry in
        if let to = filter.to, entry.start >= to { return false }
        guard let from = filter.from else { return true }
        return filter.isStarting ? entry.start >= from : entry.end > from
      }
      .sorted { ($0.start, $0.region.id) < ($1.start, $1.region.id) }
    return found.dropFirst(filter.offset).prefix(filter.limit ?? .max).map(\.region)
  }

  /// Regions that are stored in the same clocks, so that an index orders them.
  private struct Clock {
    var type: RegionType
    var timeBase: TimeBase

    static let all = [
      Clock(type: .audio, timeBase: .absolute), Clock(type: .audio, timeBase: .musical),
      Clock(type: .midi, timeBase: .musical),
    ]

    /// The number that is stored for a place.
    func number(_ position: FlickPosition, _ map: TempoMap) -> Int64 {
      let place = FlickPosition(flicks: min(max(0, position.flicks), 2 * TimelineLimit.flicks))
      return timeBase == .absolute ? place.flicks : map.ticks(at: place).ticks
    }
  }

  /// Regions that begin before the filter's end, and not so early that the longest of them would end before its start. One
  /// unit of leeway: what is exactly at an edge is judged by the caller.
  private func candidates(_ filter: RegionFilter, _ clock: Clock, _ map: TempoMap) throws -> [Region] {
    guard filter.type == nil || filter.type == clock.type else { return [] }
    var conditions = ["regionType = ?", "timeBase = ?"]
    var arguments: StatementArguments = [clock.type.rawValue, clock.timeBase.rawValue]
    func require(_ condition: String, _ value: Int64) {
      conditions.append(condition)
      arguments += [value]
    }
    if let track = filter.track { require("track = ?", track.rawValue) }
    if let to = filter.to { require("startTime <= ?", clock.number(to, map) + 1) }
    if let from = filter.from {
      require(
        "startTime >= ?", try filter.isStarting ? clock.number(from, map) - 1 : earliestStart(before: from, clock, map))
    }
    return try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT \(Region.columns) FROM region WHERE \(conditions.joined(separator: " AND "))"),
      arguments: arguments
    ).map(Region.init(row:))
  }

  /// The earliest place where a region can begin that sounds at or after `position`.
  private func earliestStart(before position: FlickPosition, _ clock: Clock, _ map: TempoMap) throws -> Int64 {
    let stored = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT max(duration) FROM region WHERE regionType = ? AND timeBase = ?"),
      arguments: [clock.type.rawValue, clock.timeBase.rawValue])
    let longest = min(max(0, stored ?? 0), TimelineLimit.flicks)
    switch clock.type {
    case .audio: return clock.number(position - FlickCount(flicks: longest), map) - 1
    case .midi: return clock.number(position, map) - longest - 1
    }
  }

  /// Case and Unicode form do not matter. In order of id.
  public func regions(named name: String, on track: TrackID? = nil) throws -> [Region] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT \(Region.columns) FROM region WHERE nameKey = ? ORDER BY id"),
      arguments: [Name.key(of: name)]
    ).map(Region.init(row:)).filter { track == nil || $0.track == track }
  }

  /// Regions whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func regions(withIDEnding ending: String) throws -> [Region] {
    guard let condition = idEndingCondition(ending) else { return [] }
    return try Row.fetchAll(database, sql: "SELECT \(Region.columns) FROM region WHERE \(condition) ORDER BY id")
      .map(Region.init(row:))
  }

  /// How many notes a region holds.
  public func noteCount(_ region: RegionID) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM midiNote WHERE region = ?"), arguments: [region.rawValue])
      ?? 0
  }

  /// The first place behind everything on the timeline.
  public func end() throws -> FlickPosition {
    let map = try tempoMap()
    return try regions().map { $0.endFlicks(in: map) }.max() ?? .zero
  }
}
