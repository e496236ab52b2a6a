import ArgumentParser
import DAWModel
import DAWProject

struct RemoveKey: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-key",
    abstract: "Remove key signatures, so that the one before goes on.",
    discussion: """
        daw remove-key 9.1.0
      """)

  @Argument(help: ArgumentHelp("Where it is, or its id.", valueName: "position"), transform: TypedMark.init(typed:))
  var places: [TypedMark]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try Timeline(view)
    let marks = try places.map { try $0.key(in: context.editor, timeline) }.uniqued
    for mark in marks { try context.editor.removeKey(mark) }
    return EditOutcome(
      summary: "Removed \(counted(marks.count, "key signature")).",
      json: JSONObject(["removed": marks.map(\.id.uuidString)]))
  }
}
