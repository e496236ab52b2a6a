import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct RemoveMeter: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-meter",
    abstract: "Remove changes of time signature, so that the one before goes on.",
    discussion: """
        daw remove-meter 9.1.0
      """)

  @Argument(
    help: ArgumentHelp("Where it changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var places: [TypedMark]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let marks = try places.map { place in
      guard let mark = try place.meter(in: context.editor, timeline) else {
        throw RuleViolation(
          .meterBar, value: "removing the first time signature",
          accepted: "A project begins with a time signature: set it instead.")
      }
      return mark
    }.uniqued
    for mark in marks { try context.editor.removeMeter(mark) }
    return EditOutcome(
      summary: "Removed \(marks.count == 1 ? "1 change" : "\(marks.count) changes") of time signature.",
      json: JSONObject(["removed": marks.map(\.id.uuidString), "tempoMap": try TempoMapDocument(view)]))
  }
}
