import ArgumentParser
import DAWSession
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
      "What rings on behind the end. (default: 2s where an instrument sounds, else 0s)", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var tail: TypedDistance?

  @Option(help: ArgumentHelp("Render only this track, as if soloed; may be repeated.", valueName: "track"))
  var track: [String] = []

  @Flag(help: "Let instruments begin at --from rather than at 0: faster, and not equal to the same range of the whole.")
  var chase = false

  func apply(to request: inout BounceRequest) {
    if let from { request.from = { try from.flicks(in: $0) } }
    if let to { request.to = { try to.flicks(in: $0) } }
    if let tail { request.tail = { try tail.flicks(in: $0, from: $1) } }
    request.tracks = track
    request.startsCold = chase
  }
}
