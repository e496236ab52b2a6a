import ArgumentParser
import DAWProject

struct RemoveRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-region",
    abstract: "Remove regions with their notes.",
    discussion: """
      Audio files stay in the project, so that undo brings all of it back; 'daw clean' removes what nothing uses.

        daw remove-region Drums/Loop Keys/Verse
      """)

  @Argument(help: "The regions: TRACK/NAME, a name that only one region has, or an id.")
  var regions: [String]

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let removed = try context.editor.removeRegions(regions)
    let what = removed.count == 1 ? "region '\(removed[0].name)'" : counted(removed.count, "region")
    return EditOutcome(summary: "Removed \(what).", json: JSONObject(["removed": removed.map(\.id.uuidString)]))
  }
}
