import ArgumentParser
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime

struct ListKeys: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "list-keys",
    abstract: "List the key signatures, from the start.",
    discussion: """
        daw list-keys --json
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (map, marks) = try session.read { (try $0.tempoMap(), try $0.keySignatures()) }
    var table = TextTable()
    for mark in marks {
      table.add(["\(Wording.place(mark.position, in: map))", "\(mark.key)", TextTable.Cell(mark.id.uuidString, .dim)])
    }
    return CommandResult(
      lines: marks.isEmpty ? ["No key signatures."] : table.lines(), made: marks.map(\.id.uuidString),
      json: marks.map { KeySignatureDocument($0, in: map) })
  }
}
