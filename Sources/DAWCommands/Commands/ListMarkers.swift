import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct ListMarkers: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-markers",
    abstract: "List markers in order of their position.",
    discussion: """
        daw list-markers
        daw list-markers --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, markers) = try session.read { (try $0.tempoMap(), try $0.markers()) }
    let shortIDs = ShortIDs(markers.map(\.id))
    var table = TextTable(.plain, .text)
    for marker in markers {
      let length = map.flicks(at: marker.end) - map.flicks(at: marker.start)
      table.add([
        "\(Wording.place(map.ticks(at: marker.start), in: map))",
        TextTable.Cell(marker.name.text, marker.color.map { .colored($0) }),
        marker.length == nil ? "" : "for \(Wording.time(length.seconds))",
        TextTable.Cell(
          [
            marker.kind == .cue ? "cue" : nil, marker.start.timeBase == .absolute ? "absolute" : nil,
            marker.color?.name,
          ]
          .compactMap(\.self).joined(separator: ", ")), TextTable.Cell(shortIDs[marker.id], .dim),
      ])
    }
    return CommandResult(
      lines: markers.isEmpty ? ["No markers."] : table.lines(), made: markers.map(\.id.uuidString),
      json: markers.map { MarkerDocument($0, in: map) })
  }
}
