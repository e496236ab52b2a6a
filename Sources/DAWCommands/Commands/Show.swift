import ArgumentParser
import DAWInterchange
import DAWProject

struct Show: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the whole project as a tree.",
    discussion: """
      With --json it prints every stored field; 'daw new --from' makes a project of that again.

        daw show
        daw show --json --notes > song.json
      """)

  @Flag(help: "List every note, rather than counting them.")
  var notes = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    if notes, project.output.json {
      try session.writeDocument(Console.write(json:))
      return CommandResult(text: "", json: JSONObject([:]), isPrinted: true)
    }
    let document = try session.projectDocument(includesNotes: notes)
    return CommandResult(
      lines: ProjectTree(document, folder: session.folder).lines, made: [document.id.uuidString], json: document)
  }
}
