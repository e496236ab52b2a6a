import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

/// The colour of a region or a marker; `nil` for the track's.
struct RegionColor {
  var own: Color?

  init(typed text: String) throws { own = text.lowercased() == "none" ? nil : try Color(typed: text) }
}

/// The settings that any number of regions can be given at once.
struct RegionSettingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("An audio region's level: -60 to 12, or -inf.", valueName: "dB"),
    transform: Level.init(typed:))
  var gain: Level?

  @Option(
    help: ArgumentHelp("A colour's name, or six hexadecimal digits; 'none' for the track's.", valueName: "colour"),
    completion: .list(Color.names + ["none"]), transform: RegionColor.init(typed:))
  var color: RegionColor?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Silence it.")
  var mute: Bool?

  var change: Change<Region> {
    var change = Change<Region>()
    change.set(\.color, to: color.map(\.own))
    change.set(\.gain, to: gain)
    change.set(\.isMuted, to: mute)
    return change
  }
}

/// The settings of a region that `add-region` and `set-region` share.
struct RegionOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it begins: 12.5s, 1:02.500, 3.1.0 (bar.beat.tick), 2.5b.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How long it is: 2s, 500ms, 4b, 2.0.0.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var length: TypedDistance?

  @Option(help: "What it is called.")
  var name: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where in its file an audio region begins: 1.5s, 48000f.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var offset: TypedDistance?

  @OptionGroup var settings: RegionSettingOptions

  @OptionGroup var fades: FadeOptions

  @OptionGroup var channels: ChannelOptions

  @Option(
    help: ArgumentHelp(
      "What an audio region's start follows when the tempo changes: absolute (its second) or musical (its bar and beat).",
      valueName: "clock"),
    completion: .list(TimeBase.allCases.map(\.rawValue)), transform: TimeBase.init(typed:))
  var timeBase: TimeBase?

  var isEmpty: Bool {
    at == nil && length == nil && name == nil && offset == nil && channels.channel == nil && timeBase == nil
      && fades.isEmpty && settings.change.isEmpty
  }

  /// Whether an option was given that only audio regions have.
  var isAboutAudio: Bool { offset != nil || channels.channel != nil || timeBase == .absolute || !fades.isEmpty }

  /// - Throws: `RuleViolation` for the name.
  func change() throws -> Change<Region> {
    var change = settings.change
    change.set(\.name, to: try name.map { try Name(ofItem: $0) })
    return change
  }

  /// - Parameters:
  ///   - timeline: what positions and distances are read by.
  ///   - region: the one that is changed; `nil` for a new one.
  func placement(in timeline: Timeline, of region: Region? = nil) throws -> RegionPlacement {
    var placement = RegionPlacement()
    placement.start = try at?.position(in: timeline, from: region?.start)
    placement.length = length?.expression(in: timeline)
    placement.offset = try offset?.flicks(in: timeline, from: .zero)
    placement.channels = channels.channel
    placement.timeBase = timeBase
    placement.fades = fades.changes(in: timeline)
    return placement
  }
}
