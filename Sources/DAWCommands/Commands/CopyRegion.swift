import ArgumentParser
import DAWInterchange
import DAWProject

struct CopyRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-region",
    abstract: "Copy a region with its notes, once or end to end.",
    discussion: """
        daw copy-region Drums/Loop --at 5.1.0
        daw copy-region Drums/Loop --at 5.1.0 --count 8
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where the first copy begins.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many copies; each begins where the one before ends.", valueName: "n"),
    transform: Int.init(typed:))
  var count = 1

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let copies = try context.editor.copyRegion(region, at: at.position(in: Timeline(view)), count: count)
    let entries = try view.entries(of: copies)
    let names = entries.map { "'\($0.track)/\($0.region.name)'" }
    let what = count == 1 ? "as \(names[0])" : "\(count) times, as \(names[0]) to \(names[count - 1])"
    return EditOutcome(
      summary: "Copied region '\(region)' \(what), from \(Wording.place(entries[0])) on.",
      made: copies.map(\.id.uuidString), json: JSONObject(["regions": entries]))
  }

  func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("'--count' is a whole number, 1 … 10000.") }
  }
}
