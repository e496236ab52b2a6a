import ArgumentParser
import DAWProject

/// A command that only looks at a project.
protocol ReadCommand: ReportingCommand {
  var project: ProjectOptions { get }

  /// - Throws: `Failure`, or what comes to one.
  func perform(on session: Session) throws -> CommandResult
}

extension ReadCommand {
  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.open()
    defer { session.close() }
    return try perform(on: session)
  }
}
