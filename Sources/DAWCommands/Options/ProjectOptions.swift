import ArgumentParser
import DAWProject

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

  /// - Throws: `Failure`.
  func open() throws -> Session { try Session.open(try ProjectFinder().find(project)) }

  /// For commands that also work without a project: opens the named one, or the one found from the current folder.
  /// - Throws: `Failure`, where one is named that is not there.
  func openIfAny() throws -> Session? { try ProjectFinder().findIfAny(project).map { try Session.open($0) } }
}
