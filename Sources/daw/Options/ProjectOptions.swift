import ArgumentParser
import DAWSession

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
}
