import DAWModel
import DAWTime
import GRDB

/// Selects notes.
public struct NoteFilter: Sendable {
  public var region: RegionID?
  public var track: TrackID?
  /// Notes that end after this position on the timeline.
  public var from: TickPosition?
  /// Notes that start before this position on the timeline.
  public var to: TickPosition?
  /// Only notes that start within the range, not those that merely overlap it.
  public var isStarting = false
  public var pitches: ClosedRange<Int>?
  public var velocities: ClosedRange<Int>?
  /// Each 0 … 15.
  public var channels: ClosedRange<Int>?
  /// The maximum number; the earliest are returned.
  public var limit: Int?

  public init(
    region: RegionID? = nil, track: TrackID? = nil, from: TickPosition? = nil, to: TickPosition? = nil,
    isStarting: Bool = false, pitches: ClosedRange<Int>? = nil, velocities: ClosedRange<Int>? = nil,
    channels: ClosedRange<Int>? = nil, limit: Int? = nil
  ) {
    self.region = region
    self.track = track
    self.from = from
    self.to = to
    self.isStarting = isStarting
    self.pitches = pitches
    self.velocities = velocities
    self.channels = channels
    self.limit = limit
  }
}

extension ProjectView {
  public func note(_ id: NoteID) throws -> MIDINote? { try tables.row(id) }

  /// A region's notes in order of start, then of id.
  public func notes(in region: RegionID) throws -> [MIDINote] {
    try MIDINote.fetchByPlace("WHERE region = ?", [region.rawValue], in: database)
  }

  /// In order of position on the timeline, then of id.
  public func notes(_ filter: NoteFilter) throws -> [MIDINote] {
    var rows = MIDIRowConditions("midiNote", region: filter.region, track: filter.track, filter.from, filter.to)
    let reach = filter.isStarting ? "midiNote.startTime >=" : "midiNote.startTime + midiNote.duration >"
    rows.require("\(reach) ? - region.startTime", filter.from?.ticks)
    rows.require("region.startTime + region.duration > ?", filter.from?.ticks)
    for (column, range) in [
      ("pitch", filter.pitches), ("velocity", filter.velocities), ("channel", filter.channels),
    ] {
      rows.require("midiNote.\(column) >= ?", range.map { Int64($0.lowerBound) })
      rows.require("midiNote.\(column) <= ?", range.map { Int64($0.upperBound) })
    }
    // Within one region the index has this order already.
    let place = filter.region == nil ? "region.startTime + midiNote.startTime" : "midiNote.startTime"
    return try MIDINote.fetch(
      from: rows.source,
      """
      \(rows.text)
      ORDER BY \(place), midiNote.id LIMIT \(filter.limit ?? -1)
      """, rows.arguments, in: database)
  }
}
