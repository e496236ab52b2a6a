import ArgumentParser

/// A command that returns its result; `Program` prints it.
protocol ReportingCommand: ParsableCommand {
  var output: OutputOptions { get }

  /// - Throws: `Failure`, or what comes to one.
  func perform() throws -> CommandResult
}
