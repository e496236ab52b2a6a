import ArgumentParser

/// A command that does its task and says what came of it; printing is the program's.
protocol ReportingCommand: ParsableCommand {
  var output: OutputOptions { get }

  /// - Throws: `Failure`, or what comes to one.
  func perform() throws -> CommandResult
}
