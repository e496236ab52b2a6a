import ArgumentParser
import DAWProject

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
    try Session.open(try ProjectFinder().find(project.project), isForEditing: !dryRun)
  }

  /// Whether every option has its default, as on a line of a batch.
  var isEmpty: Bool {
    !dryRun && ifRevision == nil && project.project == nil && !project.output.json && !project.output.quiet
  }
}
