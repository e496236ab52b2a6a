import ArgumentParser
import DAWProject

/// Which project a command is about.
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

  /// For what is of use without a project too: opens the one that is named, or the one that is around or in here.
  /// - Throws: `Failure`, where one is named that is not there.
  func openIfAny() throws -> Session? { try ProjectFinder().findIfAny(project).map { try Session.open($0) } }
}
