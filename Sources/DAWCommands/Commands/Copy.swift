import ArgumentParser
import DAWProject

struct Copy: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy",
    abstract: "Make a whole copy of a project, even while it is open.",
    discussion: """
      The copy is a project of its own, with the whole history, unless --same-id says that it stands for the same one. \
      What exists is never touched.

        daw copy Song "Song, second try"
        daw copy Song /media/stick/Song --same-id
      """)

  @Argument(help: "The project to copy.", completion: .directory)
  var path: String

  @Argument(help: "The folder to make.", completion: .directory)
  var new: String

  @Flag(help: "Keep the project's id.")
  var sameID = false

  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let session = try Session.open(try ProjectFinder().find(at: path))
    defer { session.close() }
    let folder = ProjectFolder(toMake: new)
    let copy = try Interruption.catching {
      try session.copy(
        to: folder, keepsID: sameID, origin: .current, isInterrupted: { Interruption.wasRequested })
    }
    defer { copy.close() }
    let header = try Session.afterMaking(folder) { try copy.read { try $0.header() } }
    return CommandResult(
      text: "Copied project '\(header.settings.name)' to \(folder.path)", made: [folder.path],
      json: JSONObject(["path": folder.path, "id": header.id, "revision": header.revision]))
  }

  func validate() throws {
    try requireName(ofNew: new, "the copy")
  }
}
