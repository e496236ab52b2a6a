import ArgumentParser
import DAWErrors
import DAWModel
import DAWProject
import DAWTime

/// The settings of a note that `add-note` and `set-note` share.
struct NoteOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where it begins, from its region's start: 0.5s, 2b, 1.0.0.", valueName: "distance"),
    transform: TypedRegionPlace.init(typed:))
  var at: TypedRegionPlace?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How long it is: 250ms, 1b, 0.1.0.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var length: TypedDistance?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How hard it is struck: 1 to 127; 0 plays nothing.", valueName: "n"),
    transform: Int.init(typed:))
  var velocity: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its MIDI channel, 1 to 16.", valueName: "n"),
    transform: Channel.init(typed:))
  var channel: Channel?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How fast its key goes up: 0 to 127.", valueName: "n"),
    transform: Int.init(typed:))
  var releaseVelocity: Int?

  var isEmpty: Bool { at == nil && length == nil && change.isEmpty }

  /// All fields but its position.
  var change: Change<MIDINote> {
    var change = Change<MIDINote>()
    change.set(\.velocity, to: velocity)
    change.set(\.channel, to: channel?.index)
    change.set(\.releaseVelocity, to: releaseVelocity)
    return change
  }
}

/// Reads the positions of notes: distances from their region's start.
struct NoteClock {
  let timeline: Timeline
  let regionStart: TickPosition

  init(_ region: Region, _ timeline: Timeline) {
    self.timeline = timeline
    regionStart = timeline.tempoMap.ticks(at: region.start)
  }

  func start(_ distance: TypedDistance) throws -> TickCount { try distance.ticks(in: timeline, from: regionStart) }

  /// - Throws: `Failure` if the start, which a list may give in any number of ticks, is not in a region.
  func duration(_ distance: TypedDistance, from start: TickCount) throws -> TickCount {
    guard start >= .zero, start.ticks <= TimelineLimit.ticks else {
      throw Failure(
        .invalid, code: Rule.noteStart.rawValue,
        "A start of \(start.ticks) ticks is not accepted. Nothing was changed.",
        hint: Rule.noteStart.accepted)
    }
    return try distance.ticks(in: timeline, from: regionStart + start)
  }
}
