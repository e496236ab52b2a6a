import DAWModel
import DAWStore
import DAWTime

/// A note in a listing: as in the project's JSON, with where it is.
public struct NoteEntry: Encodable, Sendable {
  public var note: NoteDocument
  public var region: String
  public var regionID: RegionID
  public var track: String
  /// On the timeline, where the note's own times are from its region's start.
  public var position: TickPosition
  /// Seconds on the timeline.
  public var timelineTime: Double

  private enum CodingKeys: String, CodingKey { case region, regionID, track, timelineTime, timelineTicks }

  public func encode(to encoder: any Encoder) throws {
    try note.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(region, forKey: .region)
    try container.encode(regionID, forKey: .regionID)
    try container.encode(track, forKey: .track)
    try container.encode(timelineTime, forKey: .timelineTime)
    try container.encode(position.ticks, forKey: .timelineTicks)
  }
}

extension ProjectView {
  /// Notes in order of their place on the timeline.
  /// - Parameters:
  ///   - region: as it is called.
  ///   - track: as it is called.
  ///   - from: only what ends after this place.
  ///   - to: only what begins before this place.
  ///   - limit: at most so many, the earliest first.
  public func noteEntries(
    region: String? = nil, track: String? = nil, from: TickPosition? = nil, to: TickPosition? = nil,
    pitch: Int? = nil, limit: Int? = nil
  ) throws -> [NoteEntry] {
    try entries(
      of: notes(
        NoteFilter(
          region: try region.map { try self.region(calledBy: $0).id },
          track: try track.map { try self.track(calledBy: $0).id }, from: from, to: to, pitch: pitch, limit: limit)))
  }

  public func entries(of notes: [MIDINote]) throws -> [NoteEntry] {
    let map = try header().settings.tempoMap
    var places: [RegionID: (name: String, track: String, start: TickPosition)] = [:]
    return try notes.compactMap { note in
      if places[note.region] == nil, let region = try self.region(note.region) {
        places[region.id] = (region.name.text, try track(region.track)?.name.text ?? "", map.ticks(at: region.start))
      }
      guard let place = places[note.region] else { return nil }
      let position = place.start + note.start
      return NoteEntry(
        note: NoteDocument(note, regionStart: place.start, in: map), region: place.name, regionID: note.region,
        track: place.track, position: position, timelineTime: map.flicks(at: position).seconds)
    }
  }
}
