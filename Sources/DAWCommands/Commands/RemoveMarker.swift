import ArgumentParser
import DAWProject

struct RemoveMarker: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-marker",
    abstract: "Remove markers.",
    discussion: """
        daw remove-marker Verse
      """)

  @Argument(help: "The markers: their names, or ids.")
  var markers: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeMarkers(markers)
    return EditOutcome(
      summary: "Removed \(removed.map { "'\($0.name)'" }.joined(separator: ", ")).",
      json: JSONObject(["removed": removed.map(\.id.uuidString)]))
  }
}
