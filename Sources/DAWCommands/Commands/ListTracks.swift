import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject

struct ListTracks: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-tracks",
    abstract: "List the tracks in their order, the master last.",
    discussion: """
        daw list-tracks
        daw list-tracks --type midi
        daw list-tracks --soloed --json
      """)

  @Flag(help: "Only tracks that are soloed.")
  var soloed = false

  @Option(
    help: "Only tracks of this type: audio, midi, bus or master.",
    completion: .list(TrackType.allCases.map(\.rawValue)), transform: kind)
  var type: TrackType?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let entries = try session.read { try $0.trackEntries(type: type, isSoloed: soloed) }
    let presets = session.presetNames(ofSoundFonts: entries.compactMap(\.track.instrument?.soundFont))
    var table = TextTable(.number, .text, .text)
    for entry in entries {
      table.add([
        "\(entry.track.index + 1)", TextTable.Cell(entry.track.name.text, .colored(entry.track.color)),
        "\(Wording.settings(entry.track, presets))",
        TextTable.Cell(entry.track.trackType == .master ? "" : counted(entry.regionCount, "region")),
        TextTable.Cell(entry.shortID, .dim),
      ])
    }
    return CommandResult(
      lines: entries.isEmpty ? ["No such tracks."] : table.lines(),
      made: entries.map(\.track.id.uuidString),
      json: entries)
  }

  private static func kind(_ text: String) throws -> TrackType {
    guard let type = TrackType(rawValue: text.lowercased()) else {
      throw Unreadable(text, "the types are audio, midi, bus and master.")
    }
    return type
  }
}
