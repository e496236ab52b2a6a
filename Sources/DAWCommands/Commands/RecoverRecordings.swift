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
      is left alone, and named with its process; one that is complete stays as it is. Commands that open the project do \
      the same by themselves where its rows say that it is needed. One that cannot be finished is named with the reason, \
      and the others are finished; the exit status is then that of the first.

        daw recover-recordings
        daw recover-recordings --json
      """)

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  func perform() throws -> CommandResult {
    let session = try project.openForEditing()
    defer { session.close() }
    let recovery = try session.recoverRecordings(waiting: .seconds(10))
    var takes: [RecordedTakes] = []
    var failures: [Failure] = []
    for recording in recovery.recovered {
      switch recording.outcome {
      case .success(let made): takes.append(made)
      case .failure(let failure):
        failures.append(
          Failure(
            failure.kind, code: failure.code, "'\(recording.folder)' cannot be finished: \(failure.message)",
            hint: failure.hint))
      }
    }
    let running = recovery.running.map {
      "'\($0.folder)' is still being recorded by process \($0.processID), and was left alone. If that was just killed, "
        + "try again."
    }
    let isNothing = recovery.recovered.isEmpty && running.isEmpty
    return CommandResult(
      lines: isNothing ? ["No recording was left unfinished."] : takes.map(\.text) + running,
      made: takes.map(\.recording),
      json: JSONObject([
        "recordings": takes.map(\.json), "problems": failures.map(\.message) + takes.flatMap(\.problems),
        "running": recovery.running.map { JSONObject(["folder": $0.folder, "processID": Int($0.processID)]) },
      ]),
      warnings: failures.map { [$0.message, $0.hint].compactMap(\.self).joined(separator: " ") },
      exitStatus: failures.first.map { ExitStatus.of($0.kind) } ?? ExitStatus.done)
  }
}
