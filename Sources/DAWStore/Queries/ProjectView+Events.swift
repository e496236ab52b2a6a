import DAWModel
import DAWTime
import GRDB

/// Selects events.
public struct EventFilter: Sendable {
  public var region: RegionID?
  public var track: TrackID?
  /// Events at or after this position on the timeline.
  public var from: TickPosition?
  /// Events before this position on the timeline.
  public var to: TickPosition?
  public var kind: RegionEvent.Message.Kind?
  /// A controller's number, a key's pitch, a meta event's type.
  public var number: Int?
  /// 0 … 15.
  public var channel: Int?
  /// The maximum number; the earliest are returned.
  public var limit: Int?

  public init(
    region: RegionID? = nil, track: TrackID? = nil, from: TickPosition? = nil, to: TickPosition? = nil,
    kind: RegionEvent.Message.Kind? = nil, number: Int? = nil, channel: Int? = nil, limit: Int? = nil
  ) {
    self.region = region
    self.track = track
    self.from = from
    self.to = to
    self.kind = kind
    self.number = number
    self.channel = channel
    self.limit = limit
  }
}

extension ProjectView {
  public func event(_ id: EventID) throws -> RegionEvent? { try tables.row(id) }

  /// A region's events in order of start, then of id.
  public func events(in region: RegionID) throws -> [RegionEvent] {
    try RegionEvent.fetch("WHERE region = ? ORDER BY startTime, id", [region.rawValue], in: database)
  }

  /// In order of position on the timeline, then of id.
  public func events(_ filter: EventFilter) throws -> [RegionEvent] {
    var rows = MIDIRowConditions("midiEvent", region: filter.region, track: filter.track, filter.from, filter.to)
    rows.require("midiEvent.startTime >= ? - region.startTime", filter.from?.ticks)
    rows.require("region.startTime + region.duration >= ?", filter.from?.ticks)
    rows.require("midiEvent.kind = ?", filter.kind.map { Int64($0.rawValue) })
    rows.require("midiEvent.number = ?", filter.number.map(Int64.init))
    rows.require("midiEvent.channel = ?", filter.channel.map(Int64.init))
    if filter.channel != nil {
      rows.require("midiEvent.kind < ?", Int64(RegionEvent.Message.Kind.systemExclusive.rawValue))
    }
    return try RegionEvent.fetch(
      from: rows.source,
      """
      \(rows.text)
      ORDER BY region.startTime + midiEvent.startTime, midiEvent.id LIMIT \(filter.limit ?? -1)
      """, rows.arguments, in: database)
  }

  /// The number of a region's events.
  public func eventCount(_ region: RegionID) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT count(*) FROM midiEvent WHERE region = ?"), arguments: [region.rawValue])
      ?? 0
  }
}
