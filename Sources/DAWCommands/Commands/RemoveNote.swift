import ArgumentParser
import DAWProject

struct RemoveNote: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-note",
    abstract: "Remove notes.",
    discussion: """
        daw remove-note 64617703-0000-8000-8000-0a1b2c3d4e5f
        daw remove-note $(daw list-notes --region Keys/Verse --pitch C4 -q)
      """)

  @Argument(help: "The notes: their ids, or the ends of these that 'daw list-notes' shows.")
  var notes: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeNotes(notes)
    return EditOutcome(
      summary: "Removed \(counted(removed.count, "note")).", json: JSONObject(["removed": removed.map(\.id.uuidString)])
    )
  }
}
