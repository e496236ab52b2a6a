import ArgumentParser
import DAWInterchange
import DAWModel
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
    let parts = try context.editor.splitRegion(region, at: at.position(in: context.timeline()))
    let left = try view.entry(of: parts.left)
    let right = try view.entry(of: parts.right)
    return EditOutcome(
      summary: "Split region '\(left.track)/\(left.region.name)' at \(Wording.place(right)) "
        + "(left id \(left.shortID), right id \(right.shortID)).",
      made: [parts.right.id.uuidString], json: JSONObject(["left": left, "right": right]))
  }
}

struct TrimRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "trim-region",
    abstract: "Move a region's edges; what it holds keeps its position on the timeline.",
    discussion: """
        daw trim-region Drums/Loop --from 3.1.0
        daw trim-region Drums/Loop --to -1b
        daw trim-region Keys/Verse --from 3.1.0 --to 7.1.0 --cut-notes
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it shall begin.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where it shall end.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Flag(help: "Cut off the notes and events that lie outside then.")
  var cutNotes = false

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let view = context.editor.view
    let timeline = try context.timeline()
    let old = try view.region(calledBy: region)
    let trimmed = try context.editor.trimRegion(
      region, from: from?.position(in: timeline, from: old.start),
      to: to?.position(in: timeline, from: old.end(in: timeline.tempoMap)), cutsNotes: cutNotes)
    let entry = try view.entry(of: trimmed)
    return EditOutcome(
      summary: "Region '\(entry.track)/\(entry.region.name)' lies from \(Wording.span(entry)).",
      json: JSONObject(["region": entry]))
  }

  func validate() throws {
    if from == nil, to == nil { throw ValidationError("Say which edge: --from, --to or both.") }
  }
}

struct CopyRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy-region",
    abstract: "Copy a region with its notes, once or end to end.",
    discussion: """
        daw copy-region Drums/Loop --count 8
        daw copy-region Drums/Loop --at 5.1.0
        daw copy-region Drums/Loop --at 5.1.0 --count 8
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where the first copy begins (default: where the region ends).", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var at: TypedPosition?

  @OptionGroup var copies: CopyCountOptions
  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let made = try context.editor.copyRegion(region, at: at?.position(in: context.timeline()), count: copies.count)
    return try .copies("Copied", of: region, made, in: context)
  }
}

struct LoopRegion: EditCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop-region",
    abstract: "Fill the timeline with copies of a region, end to end until a position.",
    discussion: """
      The last copy is cut there, and with it the notes that would sound on.

        daw loop-region Drums/Loop --until 33.1.0
        daw loop-region Drums/Loop --until @chorus
      """)

  @Argument(help: "The region: TRACK/NAME, a name that only one region has, or an id.")
  var region: String

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Where the last copy ends.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var until: TypedPosition

  @OptionGroup var edit: EditOptions

  func perform(in context: EditContext) throws -> EditOutcome {
    let timeline = try context.timeline()
    let end = try until.position(in: timeline)
    let made = try context.editor.loopRegion(region, until: end)
    let bar = timeline.tempoMap.barBeatTick(at: timeline.tempoMap.ticks(at: end))
    return try .copies("Looped until \(bar):", of: region, made, in: context)
  }
}

extension EditOutcome {
  /// - Parameter what: the start of the summary.
  fileprivate static func copies(
    _ what: String, of region: String, _ copies: [Region], in context: EditContext
  ) throws -> EditOutcome {
    let entries = try context.editor.view.entries(of: copies)
    let names = entries.map { "'\($0.track)/\($0.region.name)'" }
    let times =
      copies.count == 1 ? "as \(names[0])" : "\(copies.count) times, as \(names[0]) to \(names[copies.count - 1])"
    return EditOutcome(
      summary: "\(what) region '\(region)' \(times), from \(Wording.place(entries[0])) on.",
      made: copies.map(\.id.uuidString), json: JSONObject(["regions": entries]))
  }
}
