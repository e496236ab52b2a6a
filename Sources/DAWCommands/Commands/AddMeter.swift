import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct AddMeter: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "add-meter",
    abstract: "Change the time signature from a bar on.",
    discussion: """
      Bar lines move; notes and regions stay where they are. A later change stays at the number of its bar.

        daw add-meter 7/8 --at 9.1.0
      """)

  @Argument(
    help: ArgumentHelp("Such as 3/4 or 7/8.", valueName: "time-signature"), transform: TimeSignature.init(typed:))
  var meter: TimeSignature

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The bar line where it begins, after the first.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let bar = try at.bar(in: Timeline(context.editor.view))
    let mark = try context.editor.addMeter(meter, atBar: bar)
    let map = try context.editor.view.tempoMap()
    return EditOutcome(
      summary: "Added the time signature \(meter) at bar \(bar).", made: [mark.id.uuidString],
      json: JSONObject(["meter": TempoMapDocument.Meter(mark, in: map)]))
  }
}
