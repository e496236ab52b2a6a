import ArgumentParser
import DAWModel
import DAWProject
import DAWTime

struct Legato: EditCommand {
  static let configuration = CommandConfiguration(
    abstract: "Let notes last until the next one begins.",
    discussion: """
      Each note ends where the next of the chosen notes of its region and channel begins, be it longer or shorter before; \
      the last one stays. Notes that begin together, or within --chord of the first of them, are a chord and end together.

        daw legato --region Strings/Pad
        daw legato --track Bass --gap 0.0.240
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What is left before the next note (default: nothing).", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var gap: TypedDistance?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How far apart the notes of a chord may begin (default: less than 1/64).", valueName: "distance"),
    transform: TypedDistance.init(typed:))
  var chord: TypedDistance?

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try Timeline(context.editor.view)
    let report = try context.editor.changeNotes(selection.choice(in: timeline), "Joined notes") { chosen in
      try chosen.reduce(into: NoteChanges()) { changes, notes in
        changes += notes.legato(
          gap: try gap?.ticks(in: timeline, from: notes.start) ?? .zero,
          chordWindow: try chord?.ticks(in: timeline, from: notes.start) ?? TickCount(ticks: TickCount.perQuarter / 16))
      }
    }
    return try report.outcome("Joined", in: context)
  }
}
