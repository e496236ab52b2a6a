import DAWModel
import DAWStore
import DAWTime

/// What a region holds, in a listing: as in the project's JSON, with where it is.
public struct PlacedEntry<Document> {
  public var document: Document
  public var region: String
  public var regionID: RegionID
  public var track: String
  /// On the timeline, where the document's own times are from its region's start.
  public var position: TickPosition
  /// Seconds on the timeline.
  public var timelineTime: Double
}

/// A document of what a region holds.
package protocol PlacedDocument: JSONRecord {
  static var placedMembers: JSONMembers<PlacedEntry<Self>> { get }
}

extension NoteDocument: PlacedDocument {
  package static let placedMembers = PlacedEntry<NoteDocument>.all
}

extension EventDocument: PlacedDocument {
  package static let placedMembers = PlacedEntry<EventDocument>.all
}

extension PlacedEntry: JSONWritable, JSONWritableRecord where Document: PlacedDocument {
  package static var members: JSONMembers<PlacedEntry> { Document.placedMembers }

  fileprivate static var all: JSONMembers<PlacedEntry> {
    JSONMembers(
      Document.members.within(\.document) + [
        JSONMember(written: "region", \.region),
        JSONMember(written: "regionID", \.regionID),
        JSONMember(written: "track", \.track),
        JSONMember(written: "timelineTime", \.timelineTime),
        JSONMember(written: "timelineTicks", \.position),
      ])
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
