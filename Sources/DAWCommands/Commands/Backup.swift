import ArgumentParser
import DAWProject

struct Backup: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the project file into Backups/.",
    discussion: """
      Works while others edit. Media need no copy, since no edit changes or deletes them; for a whole copy of the \
      project see 'daw copy'.

        daw backup
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let path = try session.backUp()
    return CommandResult(text: "Backed up to \(path)", made: [path], json: JSONObject(["path": path]))
  }
}
