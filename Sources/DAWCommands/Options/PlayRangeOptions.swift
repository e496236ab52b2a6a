import ArgumentParser
import DAWPlay

/// The range and options of `play`.
struct PlayRangeOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where to begin. (default: 0s)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where to end, after the sound has died away. (default: when stopped)", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Play this over and over, without a gap.", valueName: "a..b"),
    transform: TypedRange.init(typed:))
  var loop: TypedRange?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Play this many bars of metronome before it begins.", valueName: "bars"),
    transform: Int.init(typed:))
  var countIn = 0

  @Flag(help: "A metronome, on the port 'click'.")
  var click = false

  @Flag(help: "Let the instrument of a MIDI track that has a MIDI output play too.")
  var external = false

  @Flag(help: "Do not start: wait for a key, or for 'daw transport start'.")
  var stopped = false

  /// - Parameter playhead: of the player that runs already.
  func apply(to request: inout PlayRequest, playhead: Playhead) {
    func place(_ typed: TypedPosition) -> PlayRequest.Place {
      { try typed.flicks(in: $0.with(playhead: playhead.position)) }
    }
    request.from = from.map(place)
    request.to = to.map(place)
    request.loop = loop.map { (place($0.start), place($0.end)) }
    request.countInBars = countIn
    request.clicks = click
    request.playsExternalTracks = external
    request.startsStopped = stopped
  }

  func validate() throws {
    guard (0...16).contains(countIn) else { throw ValidationError("'--count-in' is 0 … 16 bars.") }
    if loop != nil, to != nil {
      throw Exclusion.error("'--loop' goes on until it is ended, and never reaches '--to': leave one of them out.")
    }
  }
}

/// Two positions with two dots between them: `5.1.0..9.1.0`.
struct TypedRange: Sendable {
  let start: TypedPosition
  let end: TypedPosition

  /// - Throws: `Unreadable`.
  init(typed text: String) throws {
    guard let dots = text.range(of: "..") else {
      throw Unreadable(text, "a range is two positions with two dots between them, such as 5.1.0..9.1.0 or 2s..4s.")
    }
    start = try TypedPosition(typed: String(text[..<dots.lowerBound]))
    end = try TypedPosition(typed: String(text[dots.upperBound...]))
  }
}
