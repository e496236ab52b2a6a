import DAWErrors
import DAWModel
import DAWStore
import DAWTime

/// An event in a listing.
public typealias EventEntry = PlacedEntry<EventDocument>

extension EventEntry {
  public var event: EventDocument { document }
}

extension ProjectView {
  /// Events in order of their place on the timeline.
  /// - Parameters:
  ///   - region: its name or id.
  ///   - track: its name or id.
  ///   - from: only what lies at or after this place.
  ///   - to: only what lies before this place.
  ///   - number: a controller's number, a key's pitch, a meta event's type.
  ///   - channel: 0 … 15.
  ///   - limit: at most so many, the earliest first.
  public func eventEntries(
    region: String? = nil, track: String? = nil, from: TickPosition? = nil, to: TickPosition? = nil,
    kind: EventDocument.Kind? = nil, number: Int? = nil, channel: Int? = nil, limit: Int? = nil
  ) throws -> [EventEntry] {
    try entries(
      of: events(
        EventFilter(
          region: try region.map { try self.region(calledBy: $0).id },
          track: try track.map { try self.track(calledBy: $0).id }, from: from, to: to, kind: kind?.modelKind,
          number: number, channel: channel, limit: limit)))
  }

  public func entries(of events: [RegionEvent]) throws -> [EventEntry] {
    try placed(events, region: \.region, start: \.start) { EventDocument($0, regionStart: $1, in: $2) }
  }
}
