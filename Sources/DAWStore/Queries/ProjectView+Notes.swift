import DAWModel
import DAWTime
import GRDB

/// Which notes are wanted.
public struct NoteFilter: Sendable {
  public var region: RegionID?
  public var track: TrackID?
  /// On the timeline: only what ends after this place.
  public var from: TickPosition?
  /// On the timeline: only what begins before this place.
  public var to: TickPosition?
  public var pitch: Int?
  /// At most so many, the earliest first.
  public var limit: Int?
  public var offset = 0

  public init(
    region: RegionID? = nil, track: TrackID? = nil, from: TickPosition? = nil, to: TickPosition? = nil,
    pitch: Int? = nil, limit: Int? = nil, offset: Int = 0
  ) {
    self.region = region
    self.track = track
    self.from = from
    self.to = to
    self.pitch = pitch
    self.limit = limit
    self.offset = offset
  }
}

extension ProjectView {
  public func note(_ id: NoteID) throws -> MIDINote? { try tables.note(id) }

  /// A region's notes in order of start, then of id.
  public func notes(in region: RegionID) throws -> [MIDINote] {
    try MIDINote.fetch(
      "SELECT \(MIDINote.columns) FROM midiNote WHERE region = ? ORDER BY startTime, id", arguments: [region.rawValue],
      in: database)
  }

  /// In order of their place on the timeline, then of id.
  public func notes(_ filter: NoteFilter) throws -> [MIDINote] {
    var conditions = ["region.regionType = 'midi'", "region.timeBase = 'musical'"]
    var arguments: StatementArguments = []
    func require(_ condition: String, _ value: Int64?) {
      guard let value else { return }
      conditions.append(condition)
      arguments += [value]
    }
    require("region.id = ?", filter.region?.rawValue)
    require("region.track = ?", filter.track?.rawValue)
    require("midiNote.startTime < ? - region.startTime", filter.to?.ticks)
    require("region.startTime < ?", filter.to?.ticks)
    require("midiNote.startTime + midiNote.duration > ? - region.startTime", filter.from?.ticks)
    require("region.startTime + region.duration > ?", filter.from?.ticks)
    require(
      "region.startTime >= ? - (SELECT max(duration) FROM region WHERE regionType = 'midi' AND timeBase = 'musical')",
      filter.from?.ticks)
    require("midiNote.pitch = ?", filter.pitch.map(Int64.init))
    let columns = MIDINote.columns.split(separator: ", ").map { "midiNote.\($0)" }.joined(separator: ", ")
    return try MIDINote.fetch(
      """
      SELECT \(columns) FROM region CROSS JOIN midiNote ON midiNote.region = region.id
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY region.startTime + midiNote.startTime, midiNote.id LIMIT \(filter.limit ?? -1) OFFSET \(filter.offset)
      """, arguments: arguments, in: database)
  }
}
