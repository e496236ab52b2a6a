import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct SetMeter: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-meter",
    abstract: "Alter a change of time signature.",
    discussion: """
      A change is named by its position or its id. At the start is the project's own time signature.

        daw set-meter 9.1.0 --time-signature 5/8
        daw set-meter 9.1.0 --at 11.1.0
      """)

  @Argument(
    help: ArgumentHelp("Where it changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var place: TypedMark

  @Option(
    help: ArgumentHelp("Such as 3/4 or 7/8.", valueName: "n/n"), transform: TimeSignature.init(typed:))
  var timeSignature: TimeSignature?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Another bar line for it.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let mark = try place.meter(in: context.editor, timeline)
    var change = Change<MeterChange>()
    change.set(\.timeSignature, to: timeSignature)
    change.set(\.bar, to: try at?.bar(in: timeline))
    try context.editor.setMeter(mark, change)
    return EditOutcome(
      summary: "Changed the time signature at bar \(change[\.bar] ?? mark?.bar ?? 1).",
      json: JSONObject(["tempoMap": try TempoMapDocument(view)]))
  }

  func validate() throws {
    if timeSignature == nil, at == nil { throw ValidationError("Say what to change: --time-signature or --at.") }
  }
}
