import ArgumentParser
import DAWModel
import DAWProject

/// The settings of a track that `add-track` and `set-track` share.
struct TrackOptions: ParsableArguments {
  @Option(
    help: "What the track holds, audio or midi, or bus: it sums what is sent to it.",
    completion: .list(["audio", "midi", "bus"]), transform: kind)
  var type: TrackType?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its width: 1 (mono) or 2 (stereo).", valueName: "1|2"),
    transform: Int.init(typed:))
  var channels: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its place among the tracks, from 1.", valueName: "n"),
    transform: Int.init(typed:))
  var at: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its level: -60 to 12, or -inf.", valueName: "dB"),
    transform: Level.init(typed:))
  var volume: Level?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("From -1 (left) to 1 (right).", valueName: "position"),
    transform: Pan.init(typed:))
  var pan: Pan?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Silence it.")
  var mute: Bool?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Hear only tracks that are soloed.")
  var solo: Bool?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Make it ready for recording.")
  var arm: Bool?

  @Option(
    help: ArgumentHelp("What is heard where an audio track's regions overlap: sum or crossfade.", valueName: "how"),
    completion: .list(Overlap.allCases.map(\.rawValue)), transform: Overlap.init(typed:))
  var overlap: Overlap?

  @Option(help: ArgumentHelp("What it feeds: a bus, Master, or none.", valueName: "bus"))
  var output: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("A level before everything else: -24 to 24.", valueName: "dB"),
    transform: Level.init(typed:))
  var trim: Level?

  @Option(
    help: ArgumentHelp("The sides whose polarity is inverted: none, left, right or both.", valueName: "sides"),
    completion: .list(InvertedSides.allCases.map(\.rawValue)), transform: InvertedSides.init(typed:))
  var invert: InvertedSides?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("From 0 (mono) over 1 to 2 (wide); below 0 the sides are swapped, to -1.", valueName: "width"),
    transform: Double.init(typedWidth:))
  var stereoWidth: Double?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Hear it while other tracks are soloed.")
  var soloSafe: Bool?

  @Option(
    help: ArgumentHelp("A colour's name, or six hexadecimal digits.", valueName: "colour"),
    completion: .list(Color.names), transform: Color.init(typed:))
  var color: Color?

  @Option(
    help: ArgumentHelp("Where a MIDI track is sent to in place of the master, or none.", valueName: "client:port"))
  var midiOut: String?

  @OptionGroup var recording: TrackInputOptions
  @OptionGroup var instrument: InstrumentOptions

  var isEmpty: Bool {
    type == nil && at == nil && output == nil && change.isEmpty && recording.isEmpty && instrument.isEmpty
  }

  /// The parameters that are set and that a lane can move.
  var lanes: [String?] {
    [
      volume == nil ? nil : "volume", pan == nil ? nil : "pan", mute == nil ? nil : "mute", trim == nil ? nil : "trim",
      stereoWidth == nil ? nil : "stereoWidth",
    ]
  }

  /// The track's own fields, except its type and place.
  func change(in context: EditContext) throws -> Change<Track> {
    var change = change
    try recording.set(&change, in: context)
    return change
  }

  private var change: Change<Track> {
    var change = Change<Track>()
    change.set(\.channelCount, to: channels)
    change.set(\.volume, to: volume)
    change.set(\.pan, to: pan)
    change.set(\.isMuted, to: mute)
    change.set(\.isSolo, to: solo)
    change.set(\.isRecordEnabled, to: arm)
    change.set(\.overlap, to: overlap)
    change.set(\.trim, to: trim)
    change.set(\.invertedSides, to: invert)
    change.set(\.stereoWidth, to: stereoWidth)
    change.set(\.isSoloSafe, to: soloSafe)
    change.set(\.color, to: color)
    change.set(\.midiOutput, to: midiOut.map { $0.lowercased() == "none" ? nil : $0 })
    return change
  }

  func setup(in context: EditContext) -> TrackSetup {
    var setup = TrackSetup()
    setup.type = type
    setup.place = at
    setup.output = output
    setup.instrument = instrument.change
    setup.soundFont = instrument.choice(in: context.folder)
    return setup
  }

  private static func kind(_ text: String) throws -> TrackType {
    switch text.lowercased() {
    case "audio": .audio
    case "midi": .midi
    case "bus": .bus
    default: throw Unreadable(text, "a track's type is audio, midi or bus.")
    }
  }
}
