import ArgumentParser
import DAWInterchange
import DAWProject

struct TrimRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "trim-region",
    abstract: "Move a region's edges; what it holds keeps its position on the timeline.",
    discussion: """
        daw trim-region Drums/Loop --from 3.1.0
        daw trim-region Keys/Verse --from 3.1.0 --to 7.1.0 --cut-notes
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it shall begin.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it shall end.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Flag(help: "Cut off the notes and events that lie outside then.")
  var cutNotes = false

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let trimmed = try context.editor.trimRegion(
      region, from: from?.position(in: timeline), to: to?.position(in: timeline), cutsNotes: cutNotes)
    let entry = try view.entry(of: trimmed)
    return EditOutcome(
      summary: "Region '\(entry.track)/\(entry.region.name)' lies from \(Wording.span(entry)).",
      json: JSONObject(["region": entry]))
  }

  func validate() throws {
    if from == nil, to == nil { throw ValidationError("Say which edge: --from, --to or both.") }
  }
}
