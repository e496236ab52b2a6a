import ArgumentParser
import DAWProject
import DAWRender
import DAWTime

/// What of the project `bounce` renders.
struct BounceRangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to begin. (default: 0s)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to end, before the tail. (default: the end of the last region)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How long to go on after the end, while sound dies away; auto: until it is below -90 dBFS, at most 30s. (default: auto \
      where an effect has memory, such as a delay or a reverb, else 2s where an instrument sounds, else 0s)
      """, valueName: "distance|auto"),
    transform: TypedTail.init(typed:))
  var tail: TypedTail?

  @Flag(help: "Render the range alone and add what rings on to its start, so that it is a seamless loop.")
  var loopTail = false

  @Option(help: ArgumentHelp("Render only this track, as if soloed; may be repeated.", valueName: "track"))
  var track: [String] = []

  @Flag(help: "Let the instrument of a MIDI track that has a MIDI output play too.")
  var external = false

  @Flag(
    inversion: .prefixedNo, exclusivity: .exclusive,
    help: """
      Let instruments begin at --from rather than at 0: faster, and not equal to the same range of the whole. With --chase \
      the earlier programs and controllers are sent first, with --no-chase not.
      """)
  var chase: Bool?

  /// - Parameters:
  ///   - preset: the values of options that are not given.
  ///   - playhead: asked for `@playhead`.
  func apply(
    _ preset: BouncePreset, to request: inout BounceRequest, playhead: @escaping Timeline.PlayheadSource
  ) throws {
    if let from { request.from = { try from.flicks(in: $0.with(playhead: playhead)) } }
    if let to { request.to = { try to.flicks(in: $0.with(playhead: playhead)) } }
    switch try tail ?? preset.tail.map(TypedTail.init(typed:)) {
    case _ where loopTail: request.tail = .loop
    case .untilQuiet: request.tail = .untilQuiet
    case .distance(let distance): request.tail = .distance { try distance.flicks(in: $0, from: $1) }
    case nil: request.tail = .standard
    }
    request.tracks = track
    request.playsExternalTracks = external
    request.startsCold = chase != nil
    request.chases = chase ?? true
  }

  func validate() throws {
    if loopTail, tail != nil { throw Exclusion.error("'--tail' and '--loop-tail' exclude each other.") }
  }
}

/// A tail as typed.
enum TypedTail: Sendable {
  case untilQuiet
  case distance(TypedDistance)

  init(typed text: String) throws {
    self = text.lowercased() == "auto" ? .untilQuiet : .distance(try TypedDistance(typed: text))
  }
}
