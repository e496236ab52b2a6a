import ArgumentParser
import DAWInterchange
import DAWProject

struct SetNote: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-note",
    abstract: "Change notes.",
    discussion: """
        daw set-note 64617703-0000-8000-8000-0a1b2c3d4e5f --velocity 100
      """)

  @Argument(help: "The notes: their ids, or the ends of these that 'daw list-notes' shows.")
  var notes: [String]

  @Option(
    parsing: .unconditional, help: ArgumentHelp("0 to 127, or a name such as C4.", valueName: "pitch"),
    transform: Pitch.init(typed:))
  var pitch: Pitch?

  @OptionGroup var settings: NoteOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let changed = try notes.flatMap { reference in
      let note = try view.note(calledBy: reference)
      var change = settings.change
      change.set(\.pitch, to: pitch?.number)
      if settings.at != nil || settings.length != nil, let region = try view.region(note.region) {
        let clock = NoteClock(region, timeline)
        let start = try settings.at.map(clock.start)
        change.set(\.start, to: start)
        change.set(\.duration, to: try settings.length.map { try clock.duration($0, from: start ?? note.start) })
      }
      return try context.editor.setNotes([reference], change)
    }
    return EditOutcome(
      summary: "Changed \(counted(changed.count, "note")).",
      json: JSONObject(["notes": try view.entries(of: changed)]))
  }

  func validate() throws {
    if settings.isEmpty, pitch == nil {
      throw ValidationError("Say what to change: --pitch, --at, --length, --velocity, --channel or --release-velocity.")
    }
  }
}
