import DAWModel
import DAWTime

/// A marker as JSON. Of the integers only those of its own clock are there.
@dynamicMemberLookup
public struct MarkerDocument {
  /// Without its times, when it was read.
  public var row: Marker
  public var timeBase: TimeBase?
  public var start = WrittenTime(seconds: 0)
  /// Without seconds if it is a position.
  public var length = WrittenTime(seconds: nil)

  public subscript<Value>(dynamicMember path: KeyPath<Marker, Value>) -> Value { row[keyPath: path] }

  /// Seconds on the timeline.
  public var startTime: Double { start.seconds ?? 0 }
}

extension MarkerDocument: JSONRecord {
  package static var blank: MarkerDocument { MarkerDocument(row: Marker(blank: MarkerID(rawValue: 0))) }

  package static let members = JSONMembers<MarkerDocument>(
    JSONMember.start(\.start) + JSONMember.length(\.length) + [
      JSONMember(id: \.row.id),
      JSONMember("name", \.row.name, isRequired: true),
      JSONMember("kind", \.row.kind),
      JSONMember("timeBase", \.timeBase),
      JSONMember("color", \.row.color),
    ])
}

extension MarkerDocument {
  public init(_ marker: Marker, in map: TempoMap) {
    row = marker
    timeBase = marker.start.timeBase
    start = WrittenTime(marker.start, in: map)
    length = WrittenTime(marker.length, seconds: map.flicks(at: marker.end) - map.flicks(at: marker.start))
  }

  /// The marker that was read.
  /// - Throws: `RuleViolation` beyond the timeline's end.
  func marker(in map: TempoMap) throws -> Marker {
    var marker = row
    marker.start = try start.position(timeBase ?? (start.flicks == nil ? .musical : .absolute), in: map)
    marker.length = try length.length(from: marker.start, in: map)
    return marker
  }
}
