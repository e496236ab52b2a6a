import ArgumentParser
import DAWInterchange
import DAWProject

struct RemoveTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove-track",
    abstract: "Remove a track with its regions.",
    discussion: """
      Audio files stay in the project, so that undo brings all of it back; 'daw clean' removes what nothing uses.

        daw remove-track Bass
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let regions = try view.regionCount(of: view.track(calledBy: track).id)
    let track = try context.editor.removeTrack(track)
    let remark = regions == 0 ? "" : " with \(counted(regions, "region"))"
    return EditOutcome(
      summary: "Removed track '\(track.name)'\(remark).", json: JSONObject(["removed": [track.id.uuidString]]))
  }
}
