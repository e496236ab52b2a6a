import ArgumentParser
import DAWErrors
import DAWProject

struct RecoverRecordings: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover-recordings",
    abstract: "Finish recordings whose process was killed.",
    discussion: """
      Makes what such a recording has left whole, from its files alone: files without the right sizes, a ledger that \
      ends in the middle, rows that were never written. Its takes are put into the project. A recording that still runs \
      is left alone, and so is one that is complete; commands that open the project do the same by themselves where its \
      rows say that it is needed. One that cannot be finished is named, and the others are finished; the exit status \
      is then that of the first.

        daw recover-recordings
        daw recover-recordings --json
      """)

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try Session.open(try ProjectFinder().find(project.project), isForEditing: true)
    defer { session.close() }
    let recovered = try session.recoverRecordings()
    var takes: [RecordedTakes] = []
    var failures: [Failure] = []
    for recording in recovered {
      switch recording.outcome {
      case .success(let made): takes.append(made)
      case .failure(let failure):
        failures.append(
          Failure(
            failure.kind, code: failure.code, "'\(recording.folder)' cannot be finished: \(failure.message)",
            hint: failure.hint))
      }
    }
    return CommandResult(
      lines: recovered.isEmpty ? ["No recording was left unfinished."] : takes.map(\.text),
      made: takes.map(\.recording),
      json: JSONObject([
        "recordings": takes.map(\.json), "problems": failures.map(\.message) + takes.flatMap(\.problems),
      ]),
      warnings: failures.map { [$0.message, $0.hint].compactMap(\.self).joined(separator: " ") },
      exitStatus: failures.first.map { ExitStatus.of($0.kind) } ?? ExitStatus.done)
  }
}
