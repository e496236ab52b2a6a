import ArgumentParser
import DAWModel
import DAWProject

struct SetNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-notes",
    abstract: "Change many notes at once.",
    discussion: """
      --pitch, --velocity and --channel choose notes, as they do elsewhere; --pitch-to, --velocity-to and --channel-to \
      are what these become.

        daw set-notes --region Keys/Verse --velocity-to 90
        daw set-notes --track Drums --pitch 42 --pitch-to 44 --length 0.0.1920
        daw set-notes --channel 2 --channel-to 1
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Their new pitch: 0 to 127, or a name such as C4.", valueName: "pitch"),
    transform: Pitch.init(typed:))
  var pitchTo: Pitch?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How hard they shall be struck: 1 to 127; 0 plays nothing.", valueName: "n"),
    transform: Int.init(typed:))
  var velocityTo: Int?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Their new MIDI channel, 1 to 16.", valueName: "n"),
    transform: Channel.init(typed:))
  var channelTo: Channel?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How long they shall be: 250ms, 1b, 0.1.0.", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var length: TypedDistance?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How fast their keys shall go up: 0 to 127.", valueName: "n"),
    transform: Int.init(typed:))
  var releaseVelocity: Int?

  @OptionGroup var room: RegionRoomOptions
  @OptionGroup var every: EveryNoteOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let report = try context.editor.changeNotes(
      every.selection.choice(in: timeline), "Changed notes", lengthensRegions: room.lengthen
    ) { chosen in
      try chosen.reduce(into: NoteChanges()) { changes, notes in
        changes += try notes.setting(change) { try length?.ticks(in: timeline, from: $0) }
      }
    }
    return try report.outcome("Changed", in: context)
  }

  private var change: Change<MIDINote> {
    var change = Change<MIDINote>()
    change.set(\.pitch, to: pitchTo?.number)
    change.set(\.velocity, to: velocityTo)
    change.set(\.channel, to: channelTo?.index)
    change.set(\.releaseVelocity, to: releaseVelocity)
    return change
  }

  func validate() throws {
    if change.isEmpty, length == nil {
      throw ValidationError(
        "Say what to change: --pitch-to, --velocity-to, --channel-to, --length or --release-velocity.")
    }
  }
}

struct RemoveNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-notes",
    abstract: "Remove notes that options choose.",
    discussion: """
        daw remove-notes --region Keys/Verse --velocity 0..20
        daw remove-notes --track Drums --pitch F#2 --from 5.1.0 --dry-run
      """)

  @OptionGroup var every: EveryNoteOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let choice = try every.selection.choice(in: context.timeline())
    let report = try context.editor.changeNotes(choice, "Removed notes") { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.removingAll() }
    }
    var outcome = try report.outcome("Removed", in: context)
    outcome.summary = "Removed \(counted(report.removedCount, "note")) of \(counted(report.regionCount, "region"))."
    return outcome
  }
}
