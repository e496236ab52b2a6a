import ArgumentParser
import DAWInterchange
import DAWMedia
import DAWModel
import DAWProject
import DAWTime
import Foundation

struct New: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Make a project.",
    discussion: """
      Makes the folder PATH.daw (the ending is added where it is missing), with the master track in it. What exists is \
      never touched.

        daw new Song
        daw new Albums/Waltz --tempo 90 --time-signature 3/4 --rate 96000

      With --from it makes a project again from what 'daw show --json --notes' printed, ids included.

        daw new Again --from song.json --media Song.daw

      Its media are copied from that folder. A path that leads out of it is refused, unless --allow-outside says that \
      the JSON is to be trusted; what was linked stays linked.
      """)

  @Argument(help: "The folder to make.", completion: .directory)
  var path: String

  @Option(
    help: ArgumentHelp("Make it from this JSON, or from standard input (-).", valueName: "file"), completion: .file())
  var from: String?

  @Option(
    help: ArgumentHelp("Where the JSON's media are. (default: the JSON's folder)", valueName: "folder"),
    completion: .directory)
  var media: String?

  @Flag(help: "Copy media of the JSON that lie outside that folder as well.")
  var allowOutside = false

  @Flag(name: .customLong("new-ids"), help: "Give everything in the JSON a new id.")
  var newIDs = false

  @OptionGroup var settings: ProjectSettingOptions
  @OptionGroup var output: OutputOptions

  func perform() throws -> CommandResult {
    let folder = ProjectFolder(toMake: path)
    if let from { return try make(folder, from: from) }
    let session = try Session.create(folder, settings: try settings.settings(named: folder.name), origin: .current)
    defer { session.close() }
    let document = try Session.afterMaking(folder) { try session.projectDocument(includesNotes: false) }
    let warnings = Self.warnings(about: folder)
    return CommandResult(
      text: "Made project '\(document.name)' in \(folder.path)", made: [folder.path],
      json: JSONObject(["path": folder.path, "project": document, "warnings": warnings]), warnings: warnings)
  }

  private static func warnings(about folder: ProjectFolder) -> [String] {
    guard let outer = folder.enclosingProject else { return [] }
    return [
      "The new project lies within another one, '\(outer.path)', and is copied and removed along with that folder."
    ]
  }

  private func make(_ folder: ProjectFolder, from source: String) throws -> CommandResult {
    let json = source == "-" ? try JSONSource.standardInput() : try JSONSource(path: source)
    let path = media ?? (source == "-" ? "." : Path.folder(of: source))
    let (session, missing) = try Session.create(
      folder, from: json, media: MediaFolder(path: path, allowsOutside: allowOutside),
      ignoresIDs: newIDs, origin: .current)
    defer { session.close() }
    let document = try Session.afterMaking(folder) { try session.projectDocument(includesNotes: false) }
    let warnings = Self.warnings(about: folder) + missing.map { "\($0)." }
    return CommandResult(
      text: "Made project '\(document.name)' in \(folder.path)", made: [folder.path],
      json: JSONObject(["path": folder.path, "project": document, "missing": missing, "warnings": warnings]),
      warnings: warnings)
  }

  func validate() throws {
    if from == nil, media != nil || newIDs || allowOutside {
      throw ValidationError("'--media', '--allow-outside' and '--new-ids' go with '--from'.")
    }
    if from != nil, !settings.isEmpty {
      throw Exclusion.error("With '--from' the settings are the JSON's; change them afterwards with 'daw set-project'.")
    }
    try requireName(ofNew: path, "a new project")
  }
}
