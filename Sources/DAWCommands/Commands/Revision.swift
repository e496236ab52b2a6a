import ArgumentParser
import DAWProject

struct Revision: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "revision",
    abstract: "Print the number of the newest edit.",
    discussion: """
      Every edit, undo and redo counts one up. Given to --if-revision, it refuses the edit if another process edited \
      the project first.

        revision=$(daw revision)
        daw set-track Bass --volume -3 --if-revision $revision
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let revision = try session.read { try $0.revision() }
    return CommandResult(text: "\(revision)", made: ["\(revision)"], json: JSONObject(["revision": revision]))
  }
}
