import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct ListRegions: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-regions",
    abstract: "List regions in order of their start.",
    discussion: """
      A range lists what lies in it at any point; with --starts, only what begins in it.

        daw list-regions
        daw list-regions --track Drums --from 3.1.0 --to 5.1.0
        daw list-regions --type midi --json
      """)

  @Option(help: "Only those of this track.")
  var track: String?

  @Option(help: "Only those of this type: audio or midi.", completion: .list(["audio", "midi"]), transform: kind)
  var type: RegionType?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what ends after this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var from: TypedPosition?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Only what begins before this position.", valueName: "position"),
    transform: TypedPosition.init(typed:))
  var to: TypedPosition?

  @Flag(help: "Only what begins within the range.")
  var starts = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let entries = try session.read { view in
      let timeline = try Timeline(view)
      _ = try TimelineRange(from, to, in: timeline)
      return try view.regionEntries(
        track: track, type: type, from: from?.flicks(in: timeline), to: to?.flicks(in: timeline), isStarting: starts)
    }
    var table = TextTable(.text, .plain, .text)
    for entry in entries {
      table.add([
        "\(entry.track)/\(entry.region.name)", "\(Wording.span(entry))", "\(Wording.content(entry.region))",
        TextTable.Cell(entry.shortID, .dim),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No such regions."] : table.lines(),
      made: entries.map(\.region.id.uuidString),
      json: entries)
  }

  private static func kind(_ text: String) throws -> RegionType {
    guard let type = RegionType(rawValue: text.lowercased()) else {
      throw Unreadable(text, "a region's type is audio or midi.")
    }
    return type
  }
}
