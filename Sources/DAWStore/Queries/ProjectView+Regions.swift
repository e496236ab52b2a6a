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

  public init(
    track: TrackID? = nil, type: RegionType? = nil, from: FlickPosition? = nil, to: FlickPosition? = nil,
    isStarting: Bool = false
  ) {
    self.track = track
    self.type = type
    self.from = from
    self.to = to
    self.isStarting = isStarting
  }
}

extension ProjectView {
  public func region(_ id: RegionID) throws -> Region? { try tables.region(id) }

  /// In order of start on the absolute timeline, then of id.
  public func regions(_ filter: RegionFilter = RegionFilter()) throws -> [Region] {
    let map = try header().settings.tempoMap
    let found = try TimeBase.allCases.flatMap { timeBase in
      try candidates(filter, timeBase, from: filter.from.map { ticksOrFlicks($0, timeBase, map) },
        to: filter.to.map { ticksOrFlicks($0, timeBase, map) })
    }
    return found.map { (region: $0, start: $0.startFlicks(in: map), end: $0.endFlicks(in: map)) }
      .filter { entry in
        if let to = filter.to, entry.start >= to { return false }
        guard let from = filter.from else { return true }
        return filter.isStarting ? entry.start >= from : entry.end > from
      }
      .sorted { ($0.start, $0.region.id) < ($1.start, $1.region.id) }
      .map(\.region)
  }

  private func ticksOrFlicks(_ position: FlickPosition, _ timeBase: TimeBase, _ map: TempoMap) -> Int64 {
    timeBase == .absolute ? position.flicks : map.ticks(at: position).ticks
  }

  /// Regions of one time base that begin before a place, and not so early that the longest of them would end before the
  /// other. One tick of leeway: what is exactly at the edge is judged by the caller.
  private func candidates(_ filter: RegionFilter, _ timeBase: TimeBase, from: Int64?, to: Int64?) throws -> [Region] {
    var conditions = ["timeBase = '\(timeBase.rawValue)'"]
    var arguments: StatementArguments = []
    if let track = filter.track {
      conditions.append("track = ?")
      arguments += [track.rawValue]
    }
    if let type = filter.type {
      conditions.append("regionType = ?")
      arguments += [type.rawValue]
    }
    if let to {
      conditions.append("startTime <= ?")
      arguments += [to + 1]
    }
    if let from {
      // An audio region in musical time has its length in the other clock, so only its start can bound it.
      let longest = """
        (SELECT coalesce(max(duration), 0) FROM region WHERE regionType = '\(timeBase == .musical ? "midi" : "audio")'
          AND timeBase = '\(timeBase.rawValue)')
        """
      let isMixed = timeBase == .musical ? "regionType = 'audio' OR " : ""
      conditions.append(
        filter.isStarting ? "startTime >= ?" : "(\(isMixed)startTime >= ? - \(longest))")
      arguments += [from - 1]
    }
    return try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT \(Region.columns) FROM region WHERE \(conditions.joined(separator: " AND "))"),
      arguments: arguments
    ).map(Region.init(row:))
  }

  /// Case and Unicode form do not matter.
  public func regions(named name: String, on track: TrackID? = nil) throws -> [Region] {
    let key = Name.key(of: name)
    return try regions(RegionFilter(track: track)).filter { $0.name.key == key }
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
      database.cachedStatement(sql: "SELECT count(*) FROM midiNote WHERE region = ?"), arguments: [region.rawValue]) ?? 0
  }

  /// The first place behind everything on the timeline.
  public func end() throws -> FlickPosition {
    let map = try header().settings.tempoMap
    return try regions().map { $0.endFlicks(in: map) }.max() ?? .zero
  }
}
