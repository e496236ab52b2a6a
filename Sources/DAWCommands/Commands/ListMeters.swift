import ArgumentParser
import DAWInterchange
import DAWProject
import DAWTime

struct ListMeters: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-meters",
    abstract: "List where the time signature changes, from the start.",
    discussion: """
        daw list-meters --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, document) = try session.read { (try $0.tempoMap(), try TempoMapDocument($0)) }
    var table = TextTable()
    for meter in document.meters {
      table.add([
        "\(Wording.place(meter.startTicks, in: map))", "\(meter.timeSignature)",
        TextTable.Cell(meter.id?.uuidString ?? "", .dim),
      ])
    }
    return CommandResult(
      lines: table.lines(), made: document.meters.compactMap { $0.id?.uuidString }, json: document.meters)
  }
}
