import ArgumentParser
import DAWModel
import DAWProject

/// A selection of notes: those that match all given options; without options, every note.
struct NoteSelectionOptions: ParsableArguments {
  @Option(help: "Only notes of this region; may be repeated.")
  var region: [String] = []

  @Option(help: "Only notes of this track; may be repeated.")
  var track: [String] = []

  @OptionGroup var range: StartRangeOptions

  @OptionGroup var match: NoteMatchOptions

  var isEmpty: Bool { region.isEmpty && track.isEmpty && range.isEmpty && match.isEmpty }

  /// - Throws: `Failure` for a position that is not on the timeline.
  func choice(in timeline: Timeline) throws -> NoteChoice {
    var choice = NoteChoice()
    choice.regions = region
    choice.tracks = track
    let range = try range.ticks(in: timeline)
    choice.from = range.from
    choice.to = range.to
    try match.refuseImpossible()
    choice.pitches = match.pitch?.numbers
    choice.velocities = match.velocity?.numbers
    choice.channels = match.channel?.indices
    return choice
  }
}

/// A selection of notes that is never every note unless `--all` says so.
struct EveryNoteOptions: ParsableArguments {
  @OptionGroup var selection: NoteSelectionOptions

  @Flag(help: "Every note of the project.")
  var all = false

  func validate() throws {
    if all, !selection.isEmpty {
      throw Exclusion.error("'--all' chooses every note: leave it out, or what else chooses.")
    }
    if !all, selection.isEmpty {
      throw ValidationError(
        "Say which notes: --region, --track, --from, --to, --pitch, --velocity, --channel, or --all for every one.")
    }
  }
}

/// The criteria other than position.
struct NoteMatchOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only this pitch, or these: 60, C3..C5.", valueName: "pitch"), transform: PitchRange.init(typed:)
  )
  var pitch: PitchRange?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only this velocity, or these: 1..40.", valueName: "n"),
    transform: VelocityRange.init(typed:))
  var velocity: VelocityRange?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only this MIDI channel, or these: 10, 1..4.", valueName: "n"),
    transform: ChannelRange.init(typed:))
  var channel: ChannelRange?

  var isEmpty: Bool { pitch == nil && velocity == nil && channel == nil }

  /// A criterion that no note can match is an error rather than an empty selection.
  /// - Throws: the rule's violation.
  func refuseImpossible() throws {
    if let pitch, let number = pitch.numbers.outside(0...127) {
      throw RuleViolation(.pitch, value: "a pitch of \(number)")
    }
    if let velocity, let number = velocity.numbers.outside(0...127) {
      throw RuleViolation(.velocity, value: "a velocity of \(number)")
    }
    if let channel, let index = channel.indices.outside(0...15) {
      throw RuleViolation(.channel, value: "the channel \(index + 1)")
    }
  }
}

extension ClosedRange<Int> {
  /// Its first bound that is not within `accepted`.
  fileprivate func outside(_ accepted: Self) -> Int? { [lowerBound, upperBound].first { !accepted.contains($0) } }
}

/// Whether regions may grow with their notes.
struct RegionRoomOptions: ParsableArguments {
  @Flag(help: "Make a region longer where a note would end after it, rather than refuse that.")
  var lengthen = false
}
