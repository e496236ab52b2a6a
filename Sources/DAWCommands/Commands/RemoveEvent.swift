import ArgumentParser
import DAWProject

struct RemoveEvent: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-event",
    abstract: "Remove events.",
    discussion: """
        daw remove-event 64617706-0000-8000-8000-0a1b2c3d4e5f
        daw remove-event $(daw list-events --region Keys/Verse --kind pitchBend -q)
      """)

  @Argument(help: "The events: their ids, or the ends of these that 'daw list-events' shows.")
  var events: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeEvents(events)
    return EditOutcome(
      summary: "Removed \(counted(removed.count, "event")).",
      json: JSONObject(["removed": removed.map(\.id.uuidString)]))
  }
}
