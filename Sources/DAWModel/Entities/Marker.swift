import DAWTime

/// A named position or range on the timeline.
public struct Marker: Hashable, Sendable, Identifiable {
  /// The two kinds of Standard MIDI Files.
  public enum Kind: String, CaseIterable, Sendable {
    /// A section of the music: "Verse".
    case marker
    /// An event to synchronize with: "Door slams".
    case cue
  }

  public var id: MarkerID
  /// Not unique: a song has several choruses.
  public var name: Name
  public var kind: Kind
  /// If its time base is musical, it follows changes of tempo.
  public var start: TimelinePosition
  /// The length of a range, in the time base of its start; `nil` for a position.
  public var length: TimelineDistance?
  public var color: Color?

  public init(
    id: MarkerID, name: Name, kind: Kind = .marker, start: TimelinePosition, length: TimelineDistance? = nil,
    color: Color? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.start = start
    self.length = length
    self.color = color
  }

  /// The end of its range, or its position.
  public var end: TimelinePosition {
    switch (start, length) {
    case (.musical(let ticks), .musical(let length)): .musical(ticks + length)
    case (.absolute(let flicks), .absolute(let length)): .absolute(flicks + length)
    default: start
    }
  }
}

extension Marker: Entity {
  public static let kind = EntityKind.marker
  public static let noun = "marker"
  public static let table = "marker"
  public static let collection: RowCollection<Marker>? = \Project.markers

  /// Columns whose meaning depends on the time base come after it.
  public static let fields: [Field<Marker>] = [
    Field("name", \.name, rule: .name),
    Field("nameKey", rule: .nameKey) { $0.name.key },
    Field("kind", \.kind, rule: .markerKind),
    Field("timeBase", rule: .timeBase, value: { $0.start.timeBase }) { marker, stored in
      guard let timeBase = TimeBase(stored: stored) else { return false }
      marker.start = TimelinePosition(0, in: timeBase)
      return true
    },
    Field("startTime", rule: .markPosition, value: { $0.start }) { marker, stored in
      guard let number = Int64(stored: stored) else { return false }
      marker.start.number = number
      return true
    },
    Field("duration", rule: .markerLength, value: { $0.length }) { marker, stored in
      guard let length = Int64?(stored: stored) else { return false }
      marker.length = length.map { TimelineDistance($0, in: marker.start.timeBase) }
      return true
    },
    Field("color", \.color, rule: .color),
  ]

  public init(blank id: MarkerID) {
    self.init(id: id, name: Name(unchecked: ""), start: .musical(.zero))
  }

  public var subject: String { "marker '\(name)'" }

  public func validate() throws(RuleViolation) {
    try requireID()
    try name.validate()
    try require(color?.isAccepted ?? true, .color, "the colour '\(color?.name ?? "")'", of: subject)
    try requireOnTimeline(start)
    switch (start, length) {
    case (_, nil): break
    case (.musical, .musical(let length)):
      try require(length > .zero, .markerLength, "a length of \(length.ticks) ticks", of: subject)
      try require(TimelineLimit.contains(length), .timelineEnd, "a length of \(length.ticks) ticks", of: subject)
    case (.absolute, .absolute(let length)):
      try require(length > .zero, .markerLength, "a length of \(length.seconds) s", of: subject)
      try require(TimelineLimit.contains(length), .timelineEnd, "a length of \(length.seconds) s", of: subject)
    default: throw RuleViolation(.markerLength, value: "a length in another clock than its start", subject: subject)
    }
  }
}
