import ArgumentParser
import DAWProject

struct History: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the edits, the newest first.",
    discussion: """
      Shows the edits that made the project what it is, and those that 'daw redo' would bring back.

        daw history
        daw history --all --json
      """)

  @Flag(help: "The whole journal: undos and redos too, and branches that were left behind.")
  var all = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let lines = try session.historyLines(includesAll: all)
    var table = TextTable(.number, .plain, .text, .text)
    for line in lines {
      table.add([
        "\(line.revision)", "\(Wording.date(line.date))", "\(line.author)",
        TextTable.Cell(
          line.status == .applied ? line.summary : "\(line.summary) (\(line.status?.rawValue ?? ""))",
          line.status == .applied ? nil : .dim),
      ])
    }
    return CommandResult(lines: table.lines(), made: lines.map { "\($0.revision)" }, json: lines)
  }
}
