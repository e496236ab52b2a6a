import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct RemoveTempo: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-tempo",
    abstract: "Remove changes of tempo, so that the one before goes on.",
    discussion: """
        daw remove-tempo 5.1.0
      """)

  @Argument(
    help: ArgumentHelp("Where the tempo changes, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var places: [TypedMark]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let marks = try places.map { place in
      guard let mark = try place.tempo(in: context.editor, timeline) else {
        throw RuleViolation(
          .tempoPosition, value: "removing the first tempo", accepted: "A project begins with a tempo: set it instead.")
      }
      return mark
    }.uniqued
    for mark in marks { try context.editor.removeTempo(mark) }
    return EditOutcome(
      summary: "Removed \(marks.count == 1 ? "1 change" : "\(marks.count) changes") of tempo.",
      json: JSONObject(["removed": marks.map(\.id.uuidString), "tempoMap": try TempoMapDocument(view)]))
  }
}
