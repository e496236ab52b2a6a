import ArgumentParser
import DAWModel
import DAWProject

struct SplitNotes: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "split-notes",
    abstract: "Cut in two the notes that sound across a position.",
    discussion: """
      The left part keeps the id.

        daw split-notes --at 3.1.0
        daw split-notes --track Strings --at 12.5s
      """)

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where on the timeline: 4s, 3.1.0.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @OptionGroup var selection: NoteSelectionOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try Timeline(context.editor.view)
    let cut = try at.ticks(in: timeline)
    let report = try context.editor.changeNotes(selection.choice(in: timeline), "Split notes") { chosen in
      chosen.reduce(into: NoteChanges()) { $0 += $1.split(at: cut) }
    }
    return try report.outcome("Split at \(timeline.tempoMap.barBeatTick(at: cut))", in: context)
  }
}
