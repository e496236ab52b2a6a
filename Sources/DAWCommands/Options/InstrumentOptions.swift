import ArgumentParser
import DAWModel
import DAWProject

/// The instrument of a MIDI track: its SoundFont, program and effects.
struct InstrumentOptions: ParsableArguments {
  @Option(
    name: .customLong("soundfont"),
    help: ArgumentHelp(
      "The SoundFont that a MIDI track plays with: a file, which is copied into the project, or the name of one that the project has or that is installed.",
      valueName: "file|name"), completion: .file())
  var soundFont: String?

  @Flag(help: "Leave the SoundFont's file where it is, rather than copying it into the project.")
  var link = false

  @Flag(name: .customLong("copy-soundfont"), help: "Copy an installed SoundFont into the project too.")
  var copySoundFont = false

  @Option(
    parsing: .unconditional, help: ArgumentHelp("A MIDI track's bank, 0 to 16383.", valueName: "n"),
    transform: Int.init(typed:))
  var bank: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("A MIDI track's program, 0 to 127.", valueName: "n"),
    transform: Int.init(typed:))
  var program: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A MIDI track's instrument louder or softer: -60 to 12, or -inf.", valueName: "dB"),
    transform: Level.init(typed:))
  var instrumentGain: Level?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "The instrument's reverb.")
  var reverb: Bool?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The reverb's room, 0 to 1.", valueName: "size"), transform: number)
  var reverbRoom: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How much of the highs it swallows, 0 to 1.", valueName: "amount"),
    transform: number)
  var reverbDamping: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How far it spreads, 0 to 100.", valueName: "width"), transform: number)
  var reverbWidth: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How loud it is, 0 to 1.", valueName: "level"), transform: number)
  var reverbLevel: Double?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "The instrument's chorus.")
  var chorus: Bool?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The chorus's voices, 0 to 99.", valueName: "n"),
    transform: Int.init(typed:))
  var chorusVoices: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How loud it is, 0 to 10.", valueName: "level"), transform: number)
  var chorusLevel: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How fast it moves, 0.1 to 5 Hz.", valueName: "hertz"),
    transform: number)
  var chorusSpeed: Double?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How deep it is, 0 to 256 ms.", valueName: "ms"), transform: number)
  var chorusDepth: Double?

  var isEmpty: Bool { change.isEmpty && soundFont == nil }

  /// The fields that were given, without the SoundFont.
  var change: Change<Instrument> {
    var change = Change<Instrument>()
    change.set(\.bank, to: bank)
    change.set(\.program, to: program)
    change.set(\.gain, to: instrumentGain)
    change.set(\.reverb.isOn, to: reverb)
    change.set(\.reverb.roomSize, to: reverbRoom)
    change.set(\.reverb.damping, to: reverbDamping)
    change.set(\.reverb.width, to: reverbWidth)
    change.set(\.reverb.level, to: reverbLevel)
    change.set(\.chorus.isOn, to: chorus)
    change.set(\.chorus.voiceCount, to: chorusVoices)
    change.set(\.chorus.level, to: chorusLevel)
    change.set(\.chorus.speed, to: chorusSpeed)
    change.set(\.chorus.depth, to: chorusDepth)
    return change
  }

  private static func number(_ text: String) throws -> Double {
    guard let number = decimal(text[...]) else { throw Unreadable(text, "that is no number.") }
    return number
  }

  /// - Parameter folder: the folder that a relative path starts from.
  func choice(in folder: String) -> SoundFontChoice? {
    soundFont.map {
      SoundFontChoice(
        name: $0, path: EditContext.path($0, in: folder), storage: link ? .linked : copySoundFont ? .copied : .automatic
      )
    }
  }

  /// The media that an edit may import. Paths are as typed.
  var incomingFiles: [IncomingFile] {
    soundFont.map { [IncomingFile(path: $0, isLinked: link, kind: .soundFont)] } ?? []
  }

  /// Refuses settings of an instrument for a track that has none.
  func requireInstrument(of track: String, in context: EditContext) throws {
    let track = try context.editor.view.track(calledBy: track)
    guard !isEmpty, track.trackType != .midi else { return }
    throw RuleViolation(
      .instrument, value: "a setting of an instrument", subject: track.subject,
      accepted:
        "'\(track.name)' is of type \(track.trackType.rawValue) and has no instrument: only MIDI tracks have one.")
  }

  func validate() throws {
    if soundFont == nil, link { throw ValidationError("'--link' goes with '--soundfont'.") }
    if soundFont == nil, copySoundFont {
      throw ValidationError("'--copy-soundfont' copies what --soundfont names.")
    }
    if link, copySoundFont { throw Exclusion.error("'--link' and '--copy-soundfont' exclude each other.") }
  }
}
