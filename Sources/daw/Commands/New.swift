import ArgumentParser
import DAWModel
import DAWSession
import DAWTime

struct New: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a project.",
    discussion: """
      Makes the folder PATH.daw (the ending is added where it is missing), with the master track in it. What exists is \
      never touched.

        daw new Song
        daw new Albums/Waltz --tempo 90 --time-signature 3/4 --rate 96000
      """)

  @Argument(help: "The folder to make.", completion: .directory)
  var path: String

  @OptionGroup var settings: ProjectSettingOptions
  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let typed = path.hasSuffix(ProjectFolder.ending) ? path : path + ProjectFolder.ending
    let folder = ProjectFolder(path: typed)
    let session = try Session.create(folder, settings: try settings.settings(named: folder.name), origin: .current)
    defer { session.close() }
    let document = try session.projectDocument(includesNotes: false)
    return CommandResult(
      text: "Made project '\(document.name)' in \(folder.path)", made: [folder.path],
      json: JSONObject(["path": folder.path, "project": document]))
  }

  func validate() throws {
    if path.isEmpty { throw ValidationError("The path of a new project is empty.") }
  }
}
