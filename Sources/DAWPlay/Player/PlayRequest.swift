import DAWErrors
import DAWProject
import DAWTime

/// What is played, and how a player sits among JACK's clients.
public struct PlayRequest: Sendable {
  public typealias Place = @Sendable (Timeline) throws -> FlickPosition

  public enum Transport: String, Sendable, CaseIterable {
    /// Our own, which alone can loop.
    case own
    /// The one that all clients of JACK share: others can start, stop and move us.
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
    /// With the server's first two playback ports.
    case playback
    case none
    /// With these ports: left and right in turn; a single one takes both.
    case ports([String])
  }

  /// `nil`: from 0.
  public var from: Place?
  /// Where it ends, behind what rings on; `nil`: when it is told to.
  public var to: Place?
  public var loop: (start: Place, end: Place)?
  /// Stands still at first.
  public var startsStopped = false
  /// What the client is called in JACK.
  public var clientName = "daw"
  /// `nil`: the usual server.
  public var server: String?
  public var connection = Connection.playback
  /// Each track has a pair of ports of its own as well.
  public var hasDirectOuts = false
  /// A server that goes away is waited for.
  public var reconnects = false
  public var transport = Transport.own
  /// Tells JACK's other clients where bars and beats are.
  public var isTimebaseMaster = false
  /// Bars of metronome before it begins, ≥ 0.
  public var countInBars = 0
  /// Where MIDI tracks are sent, beside their instruments; `nil`: to the ALSA sequencer where the machine has one.
  public var midi: MIDI?
  /// Where a track's port of the ALSA sequencer is connected to, `CLIENT:PORT`, whatever the project says.
  public var midiConnections: [(track: String, destination: String)] = []
  /// MIDI tracks that have an output of their own, outside, sound in the master as well.
  public var playsExternalTracks = false
  /// A metronome on a port of its own.
  public var clicks = false

  public init() {}

  /// Whether its places lie on the timeline and follow each other.
  /// - Throws: `Failure` where they do not.
  func validate(in timeline: Timeline) throws {
    let (from, to) = (try from?(timeline), try to?(timeline))
    let loop = try loop.map { (start: try $0.start(timeline), end: try $0.end(timeline)) }
    for place in [from, to, loop?.start, loop?.end].compactMap({ $0 }) where place < .zero {
      throw Failure(
        .invalid, code: "range", "\(place.seconds) s is before the start of the timeline.",
        hint: "Give a place at or after 0.")
    }
    if let loop, loop.end <= loop.start {
      throw Failure(
        .invalid, code: "range",
        "The loop ends at \(loop.end.seconds) s, and does not begin before that: at \(loop.start.seconds) s.",
        hint: "Give the earlier place first: --loop 1.1.0..5.1.0.")
    }
    let begin = from ?? loop?.start ?? .zero
    if let to, to <= begin {
      throw Failure(
        .invalid, code: "range", "The range ends at \(to.seconds) s, and begins at \(begin.seconds) s.",
        hint: "Give --to a later place than --from.")
    }
  }

  /// Whether ports of JACK come, go and change with the project.
  var hasPortsOfTracks: Bool { hasDirectOuts || midi == .jack || isTimebaseMaster }
}
