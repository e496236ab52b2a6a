import DAWErrors
import DAWProject
import DAWTime

/// What to play, and how the player uses JACK.
public struct PlayRequest: Sendable {
  public typealias Place = @Sendable (Timeline) throws -> FlickPosition

  public enum Transport: String, Sendable, CaseIterable {
    /// The player's own transport; only this one can loop.
    case own
    /// JACK's shared transport: other clients can start, stop and locate the player.
    case jack
  }

  public enum MIDI: String, Sendable, CaseIterable {
    /// A port of the ALSA sequencer for each MIDI track.
    case alsa
    /// A port of JACK for each MIDI track, exact to the frame.
    case jack
    case none
  }

  public enum Connection: Equatable, Sendable {
    /// The server's first two playback ports.
    case playback
    case none
    /// These ports: left and right in turn; a single one takes both.
    case ports([String])
  }

  /// `nil`: from 0.
  public var from: Place?
  /// The end, before the tail; `nil`: plays until stopped.
  public var to: Place?
  public var loop: (start: Place, end: Place)?
  /// Starts stopped.
  public var startsStopped = false
  /// The name of the JACK client.
  public var clientName = "daw"
  /// `nil`: the usual server.
  public var server: String?
  public var connection = Connection.playback
  /// Each track has a pair of ports of its own as well.
  public var hasDirectOuts = false
  /// Waits for a new server when the current one is gone.
  public var reconnects = false
  public var transport = Transport.own
  /// Becomes JACK's timebase master: reports bars and beats to other clients.
  public var isTimebaseMaster = false
  /// Count-in bars before the start, ≥ 0.
  public var countInBars = 0
  /// Where MIDI tracks are sent in addition to their instruments; `nil`: the ALSA sequencer if there is one.
  public var midi: MIDI?
  /// Destination of a track's ALSA sequencer port, `CLIENT:PORT`; overrides the project.
  public var midiConnections: [(track: String, destination: String)] = []
  /// MIDI tracks with an external output are heard in the master as well.
  public var playsExternalTracks = false
  /// A metronome on a port of its own.
  public var clicks = false
  /// What is recorded meanwhile; `nil`: nothing.
  public var record: RecordRequest?

  public init() {}

  /// Checks that the positions are on the timeline and in order.
  /// - Throws: `Failure` when they are not.
  func validate(in timeline: Timeline) throws {
    let (from, to) = (try from?(timeline), try to?(timeline))
    let loop = try loop.map { (start: try $0.start(timeline), end: try $0.end(timeline)) }
    for place in [from, to, loop?.start, loop?.end].compactMap({ $0 }) where place < .zero {
      throw Failure(
        .invalid, code: "invalidRange", "\(place.seconds) s is before the start of the timeline.",
        hint: "Give a place at or after 0.")
    }
    if let loop, loop.end <= loop.start {
      throw Failure(
        .invalid, code: "invalidRange",
        "The loop ends at \(loop.end.seconds) s, and does not begin before that: at \(loop.start.seconds) s.",
        hint: "Give the earlier place first: --loop 1.1.0..5.1.0.")
    }
    if record != nil, let loop,
      let failure = RecordRequest.refusal(
        ofLoop: loop.end - loop.start, state: "Nothing is recorded.", hint: "Give a longer one: --loop 5.1.0..9.1.0.")
    {
      throw failure
    }
    let begin = from ?? loop?.start ?? .zero
    if let to, to <= begin {
      throw Failure(
        .invalid, code: "invalidRange", "The range ends at \(to.seconds) s, and begins at \(begin.seconds) s.",
        hint: "Give --to a later place than --from.")
    }
    if let loop, let to {
      throw Failure(
        .usage, code: "invalidCombination",
        "The loop from \(loop.start.seconds) s to \(loop.end.seconds) s goes on until it is ended: '--to', "
          + "\(to.seconds) s, is never reached.",
        hint: "Give one of '--loop' and '--to'.")
    }
    // What begins behind the end of a loop never enters it.
    var played = (start: begin, end: to)
    if let loop, begin < loop.end { played = (min(begin, loop.start), loop.end) }
    try record?.validate(in: timeline, played: startsStopped ? nil : played)
  }

  /// Whether ports of JACK come, go and change with the project.
  var hasPortsOfTracks: Bool { hasDirectOuts || midi == .jack || isTimebaseMaster }
}
