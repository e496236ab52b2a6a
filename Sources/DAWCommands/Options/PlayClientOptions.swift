import ArgumentParser
import DAWPlay

/// The JACK options of `play`.
struct PlayClientOptions: ParsableArguments {
  @Option(help: ArgumentHelp("What the client is called in JACK.", valueName: "name"))
  var name = "daw"

  @Option(help: ArgumentHelp("The JACK server. (default: JACK_DEFAULT_SERVER, or the usual one)", valueName: "name"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "Connect the master to this port, left and right in turn; may be repeated. (default: the first two playback ports)",
      valueName: "port"))
  var connect: [String] = []

  @Flag(help: "Connect the master to nothing.")
  var noConnect = false

  @Flag(help: "Make a pair of ports for each track too.")
  var directOuts = false

  @Option(
    help: ArgumentHelp(
      "Where else MIDI tracks are sent. (default: alsa where the machine has its sequencer)",
      valueName: "alsa|jack|none"))
  var midi: PlayRequest.MIDI?

  @Option(
    help: ArgumentHelp(
      "Connect a track's ALSA sequencer port to another port; may be repeated.", valueName: "track=client:port"),
    transform: TypedMIDIConnection.init(typed:))
  var midiConnect: [TypedMIDIConnection] = []

  @Flag(help: "When the server goes away, wait until one is back.")
  var reconnect = false

  @Option(help: ArgumentHelp("Roll by our own transport, or follow JACK's.", valueName: "own|jack"))
  var transport = PlayRequest.Transport.own

  @Flag(help: "Be JACK's timebase master: report bars and beats to other clients.")
  var timebase = false

  func apply(to request: inout PlayRequest) {
    request.clientName = name
    request.server = server
    request.connection = noConnect ? .none : connect.isEmpty ? .playback : .ports(connect)
    request.hasDirectOuts = directOuts
    request.midi = midi
    request.midiConnections = midiConnect.map { ($0.track, $0.destination) }
    request.reconnects = reconnect
    request.transport = transport
    request.isTimebaseMaster = timebase
  }

  /// What excludes options of the range.
  func validate(with range: PlayRangeOptions) throws {
    guard transport == .jack else { return }
    if range.loop != nil { throw Exclusion.error("JACK's transport has no loop: '--loop' needs '--transport own'.") }
    if range.countIn > 0 {
      throw Exclusion.error("JACK's transport does not count in: '--count-in' needs '--transport own'.")
    }
  }

  func validate() throws {
    if !midiConnect.isEmpty, let midi, midi != .alsa {
      throw Exclusion.error("'--midi-connect' is for ports of the ALSA sequencer: it needs '--midi alsa'.")
    }
    if noConnect, !connect.isEmpty { throw Exclusion.error("'--connect' and '--no-connect' exclude each other.") }
    if name.isEmpty || name.contains(":") { throw ValidationError("A client's name is not empty and has no colon.") }
    if name.utf8.count > Self.longestName {
      throw ValidationError("A client's name has at most \(Self.longestName) bytes; this one has \(name.utf8.count).")
    }
  }

  /// The longest name of a JACK client, in bytes.
  private static let longestName = 63
}

extension PlayRequest.Transport: ExpressibleByArgument {}
extension PlayRequest.MIDI: ExpressibleByArgument {}

/// A track and where its MIDI goes: `Bass=FLUID Synth:0`. The last `=` divides, so that a track's name may hold some.
struct TypedMIDIConnection: Sendable {
  let track: String
  let destination: String

  /// - Throws: `Unreadable`.
  init(typed text: String) throws {
    guard let place = text.lastIndex(of: "="), place > text.startIndex, text.index(after: place) < text.endIndex else {
      throw Unreadable(text, "a connection is a track and a port with = between them, such as 'Bass=128:0'.")
    }
    track = String(text[..<place])
    destination = String(text[text.index(after: place)...])
  }
}
