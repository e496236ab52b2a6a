import ArgumentParser
import DAWSession

struct Check: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Verify the project: its file, its rules, its history and its media.",
    discussion: """
      Says what is wrong and how to mend it. The exit status is 0 only where all is well, else 65. Nothing is changed.

        daw check
        daw check --json

      With --record, what another program wrote behind our back is first put into the history, so that it can be undone.
      """)

  @Flag(help: "First put what another program has written into the history.")
  var record = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    if record { _ = try session.recordOutsideChanges() }
    let report = try session.check()
    let faults = report.findings.filter { !$0.isNotice }
    let lines = report.findings.map { "\($0.code): \($0.message)\n  \($0.hint)" }
    let verdict = faults.isEmpty ? "All is well." : "\(counted(faults.count, "fault")) found."
    let users = report.openElsewhere.map { "Open in process \($0.processID) (\($0.name))." }
    return CommandResult(
      text: (lines + users + [verdict]).joined(separator: "\n"),
      json: JSONObject([
        "isWell": faults.isEmpty,
        "findings": report.findings.map {
          JSONObject(["code": $0.code, "message": $0.message, "hint": $0.hint, "isNotice": $0.isNotice])
        },
        "openElsewhere": report.openElsewhere.map {
          JSONObject(["processID": Int($0.processID), "name": $0.name])
        },
      ]),
      exitStatus: faults.isEmpty ? ExitStatus.done : ExitStatus.of(.invalid))
  }
}
