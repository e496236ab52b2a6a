import ArgumentParser
import DAWInterchange
import DAWProject

struct SplitRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "split-region",
    abstract: "Cut a region in two.",
    discussion: """
      The left part keeps the id. A note that crosses the cut becomes two; no frame of audio shifts.

        daw split-region Drums/Loop --at 3.1.0
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where on the timeline: 4s, 3.1.0.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let parts = try context.editor.splitRegion(region, at: at.position(in: Timeline(view)))
    let left = try view.entry(of: parts.left)
    let right = try view.entry(of: parts.right)
    return EditOutcome(
      summary: "Split region '\(left.track)/\(left.region.name)' at \(Wording.place(right)) "
        + "(left id \(left.shortID), right id \(right.shortID)).",
      made: [parts.right.id.uuidString], json: JSONObject(["left": left, "right": right]))
  }
}
