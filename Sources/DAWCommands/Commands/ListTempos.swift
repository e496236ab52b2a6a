import ArgumentParser
import DAWInterchange
import DAWProject
import DAWTime

struct ListTempos: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-tempos",
    abstract: "List where the tempo changes, from the start.",
    discussion: """
        daw list-tempos --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, document) = try session.read { (try $0.tempoMap(), try TempoMapDocument($0)) }
    var table = TextTable()
    for tempo in document.tempos {
      table.add([
        "\(Wording.place(tempo.startTicks, in: map))", "\(Wording.number(tempo.tempo.bpm)) BPM",
        tempo.isRamp ? "ramp" : "", TextTable.Cell(tempo.id?.uuidString ?? "", .dim),
      ])
    }
    return CommandResult(
      lines: table.lines(), made: document.tempos.compactMap { $0.id?.uuidString }, json: document.tempos)
  }
}
