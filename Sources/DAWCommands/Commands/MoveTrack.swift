import ArgumentParser
import DAWInterchange
import DAWProject

struct MoveTrack: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "move-track",
    abstract: "Move a track among the others.",
    discussion: """
        daw move-track Bass --to 1
      """)

  @Argument(help: "The track: its name or id.")
  var track: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Its new place, from 1; the master stays last.", valueName: "n"),
    transform: Int.init(typed:))
  var to: Int

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let track = try context.editor.moveTrack(track, to: to)
    return EditOutcome(
      summary: "Moved track '\(track.name)' to place \(to).",
      json: JSONObject(["track": try context.editor.view.entry(of: track)]))
  }
}
