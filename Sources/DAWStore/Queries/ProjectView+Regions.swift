import DAWModel
import DAWTime
import GRDB

/// Selects regions.
public struct RegionFilter: Sendable {
  public var track: TrackID?
  public var type: RegionType?
  /// Regions that sound at or after this position.
  public var from: FlickPosition?
  /// Regions that start before this position.
  public var to: FlickPosition?
  /// Only regions that start within the range, not those that merely overlap it.
  public var isStarting = false
  /// The maximum number; the earliest are returned.
  public var limit: Int?

  public init(
    track: TrackID? = nil, type: RegionType? = nil, from: FlickPosition? = nil, to: FlickPosition? = nil,
    isStarting: Bool = false, limit: Int? = nil
  ) {
    self.track = track
    self.type = type
    self.from = from
    self.to = to
    self.isStarting = isStarting
    self.limit = limit
  }
}

extension ProjectView {
  public func region(_ id: RegionID) throws -> Region? { try tables.row(id) }

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
    return found.prefix(filter.limit ?? .max).map(\.region)
  }

  /// A combination of type and time base: an index orders its regions.
  private struct Clock {
    var type: RegionType
    var timeBase: TimeBase

    static let all = [
      Clock(type: .audio, timeBase: .absolute), Clock(type: .audio, timeBase: .musical),
      Clock(type: .midi, timeBase: .musical),
    ]

    /// The stored number of a position.
    func number(_ position: FlickPosition, _ map: TempoMap) -> Int64 {
      let place = FlickPosition(flicks: min(max(0, position.flicks), 2 * TimelineLimit.flicks))
      return timeBase == .absolute ? place.flicks : map.ticks(at: place).ticks
    }
  }

  /// Regions that start before the filter's end, and late enough that the longest of them could reach its start.
  /// Includes one unit more on either side; the caller decides exact edges.
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
    return try Region.fetch("WHERE \(conditions.joined(separator: " AND "))", arguments, in: database)
  }

  /// The earliest start of a region that could sound at or after `position`.
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

  /// Ignores case and Unicode form. In order of id.
  public func regions(named name: String, on track: TrackID? = nil) throws -> [Region] {
    try Region.fetch("WHERE nameKey = ? ORDER BY id", [Name.key(of: name)], in: database).filter {
      track == nil || $0.track == track
    }
  }

  /// The `nameKey`s of a track's regions.
  package func regionNameKeys(on track: TrackID) throws -> Set<String> {
    try String.fetchSet(
      database.cachedStatement(sql: "SELECT nameKey FROM region WHERE track = ?"), arguments: [track.rawValue])
  }

  /// The region that `find` returns for a reference; remembered until an edit may change the answer.
  package func remembering(_ reference: String, _ find: () throws -> Region) rethrows -> Region {
    if let region = memory.references[reference] { return region }
    let region = try find()
    memory.keep(region, calledBy: reference)
    return region
  }

  /// Regions whose UUID ends in these hexadecimal digits.
  /// - Parameter ending: 1 … 15 digits.
  public func regions(withIDEnding ending: String) throws -> [Region] {
    guard let condition = idEndingCondition(ending) else { return [] }
    return try Region.fetch("WHERE \(condition) ORDER BY id", in: database)
  }

  /// The heard regions that reach beyond their files, in order of id. Only another program can write such rows.
  public func regionsBeyondFiles() throws -> [Region] {
    try Region.fetch(
      """
      WHERE isInUse AND NOT isMuted
        AND audioOffset + duration > (SELECT audioFile.duration FROM audioFile WHERE audioFile.id = region.audioFile)
      ORDER BY id
      """, in: database)
  }

  /// The number of a region's notes.
  public func noteCount(_ region: RegionID) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM midiNote WHERE region = ?"), arguments: [region.rawValue])
      ?? 0
  }

  /// The end of the last region in use on the timeline.
  public func end() throws -> FlickPosition {
    if let end = memory.end { return end }
    let map = try tempoMap()
    let end = try regions().filter(\.isInUse).map { $0.endFlicks(in: map) }.max() ?? .zero
    memory.end = end
    return end
  }
}
