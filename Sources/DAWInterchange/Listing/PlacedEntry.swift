import DAWModel
import DAWStore
import DAWTime

/// What a region holds, in a listing: as in the project's JSON, with where it is.
public struct PlacedEntry<Document: Encodable & Sendable>: Encodable, Sendable {
  public var document: Document
  public var region: String
  public var regionID: RegionID
  public var track: String
  /// On the timeline, where the document's own times are from its region's start.
  public var position: TickPosition
  /// Seconds on the timeline.
  public var timelineTime: Double

  private enum CodingKeys: String, CodingKey { case region, regionID, track, timelineTime, timelineTicks }

  public func encode(to encoder: any Encoder) throws {
    try document.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(region, forKey: .region)
    try container.encode(regionID, forKey: .regionID)
    try container.encode(track, forKey: .track)
    try container.encode(timelineTime, forKey: .timelineTime)
    try container.encode(position.ticks, forKey: .timelineTicks)
  }
}

extension ProjectView {
  /// Notes or events with their places; each region is looked up once.
  /// - Parameter document: of what is listed, its region's start and the tempo map.
  func placed<Element, Document>(
    _ elements: [Element], region: (Element) -> RegionID, start: (Element) -> TickCount,
    document: (Element, TickPosition, TempoMap) -> Document
  ) throws -> [PlacedEntry<Document>] {
    let map = try tempoMap()
    var places: [RegionID: (name: String, track: String, start: TickPosition)] = [:]
    return try elements.compactMap { element in
      let id = region(element)
      if places[id] == nil, let region = try self.region(id) {
        places[id] = (region.name.text, try track(region.track)?.name.text ?? "", map.ticks(at: region.start))
      }
      guard let place = places[id] else { return nil }
      let position = place.start + start(element)
      return PlacedEntry(
        document: document(element, place.start, map), region: place.name, regionID: id, track: place.track,
        position: position, timelineTime: map.flicks(at: position).seconds)
    }
  }
}
