import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

/// The settings of a marker that `add-marker` and `set-marker` share.
struct MarkerOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where it is. What is given in bars or quarter notes goes with the tempo, what is given in seconds or frames stays.",
      valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Makes it a range: 8b, 4.0.0; none for a point.", valueName: "distance"),
    transform: TypedLength.init(typed:))
  var length: TypedLength?

  @Option(
    help: ArgumentHelp("A colour's name, six hexadecimal digits, or none.", valueName: "colour"),
    completion: .list(Color.names + ["none"]), transform: RegionColor.init(typed:))
  var color: RegionColor?

  @Option(
    help: "What it becomes in a MIDI file: marker or cue.", completion: .list(["marker", "cue"]), transform: kind)
  var kind: Marker.Kind?

  @Option(
    help: "What it follows when the tempo changes: musical (its beat) or absolute (its second).",
    completion: .list(["musical", "absolute"]), transform: TimeBase.init(typed:))
  var timeBase: TimeBase?

  var isEmpty: Bool { at == nil && length == nil && timeBase == nil && change.isEmpty }

  /// All fields but its position.
  var change: Change<Marker> {
    var change = Change<Marker>()
    change.set(\.kind, to: kind)
    change.set(\.color, to: color.map(\.own))
    return change
  }

  /// - Parameter marker: the one that is changed; `nil` for a new one.
  /// - Throws: `Failure` for a position that is not on the timeline.
  func placement(in timeline: Timeline, of marker: Marker? = nil) throws -> MarkerPlacement {
    var placement = MarkerPlacement()
    placement.start = try at?.position(in: timeline, from: marker?.start)
    placement.timeBase = timeBase
    if let length { placement.length = .some(length.distance?.expression(in: timeline)) }
    return placement
  }

  /// A warning about a marker's name: @start and @end are reserved positions.
  static func warnings(about marker: Marker) -> [String] {
    guard ["start", "end"].contains(marker.name.key) else { return [] }
    let id = marker.id.uuidString.suffix(12)
    return ["@\(marker.name.key) is the \(marker.name.key) of the timeline; this marker is @id:\(id)."]
  }

  private static func kind(_ text: String) throws -> Marker.Kind {
    try Marker.Kind(typed: text, listedAs: "the kinds are")
  }
}

/// A length, or that there shall be none.
struct TypedLength {
  let distance: TypedDistance?

  init(typed text: String) throws { distance = text.lowercased() == "none" ? nil : try TypedDistance(typed: text) }
}
