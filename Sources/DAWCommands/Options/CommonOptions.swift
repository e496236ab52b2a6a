import ArgumentParser
import DAWProject

/// The output options that every command has.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print the result as one JSON value; errors too.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print only the id or the path of what was made.")
  var quiet = false

  var form: OutputForm { json ? .json : quiet ? .quiet : .text }

  func validate() throws {
    if json, quiet { throw Exclusion.error("'--json' and '--quiet' exclude each other.") }
  }
}

/// The project of a command.
struct ProjectOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The project's folder; its ending .daw may be left off. (default: DAW_PROJECT, or what is around or in here)",
      valueName: "path"),
    completion: .directory)
  var project: String?

  @OptionGroup var output: OutputOptions

  /// Opens the project for reading.
  /// - Throws: `Failure`.
  func open() throws -> Session { try Session.open(try ProjectFinder().find(project)) }

  /// Opens the project for editing: one of an older daw is brought up to date first.
  /// - Throws: `Failure`.
  func openForEditing() throws -> Session { try Session.open(try ProjectFinder().find(project), isForEditing: true) }

  /// For commands that also work without a project: opens the named one, or the one found from the current folder.
  /// - Throws: `Failure`, where one is named that is not there.
  func openIfAny() throws -> Session? { try ProjectFinder().findIfAny(project).map { try Session.open($0) } }
}

/// The options of every edit.
struct EditOptions: ParsableArguments {
  @OptionGroup var project: ProjectOptions

  @Flag(help: "Do all the checks and say what would happen, but change nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("Refuse the edit, with exit status 75, unless the project is at this revision.", valueName: "n"))
  var ifRevision: Int64?

  /// Opens the project. One of an older daw is brought up to date first, unless the edit is only tried.
  /// - Throws: `Failure`.
  func open() throws -> Session {
    let session = try Session.open(try ProjectFinder().find(project.project), isForEditing: !dryRun)
    if !dryRun { session.finishLeftRecordings() }
    return session
  }

  /// Whether every option has its default, as on a line of a batch.
  var isEmpty: Bool {
    !dryRun && ifRevision == nil && project.project == nil && !project.output.json && !project.output.quiet
  }
}
