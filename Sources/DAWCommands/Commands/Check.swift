import ArgumentParser
import DAWProject

struct Check: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Verify the project: its file, its rules, its history and its media.",
    discussion: """
      Reports problems and how to repair them. The exit status is 0 only where all is well, else 65. Nothing is changed.

        daw check
        daw check --json

      With --record, what another program wrote behind our back is first put into the history, so that it can be undone.

      A file that has triggers or views of another program, or whose tables were changed, is not opened. With --repair
      those are removed, and what was changed is made anew, after a backup; where that would lose rows, nothing is done.
      """)

  @Flag(help: "First put what another program has written into the history.")
  var record = false

  @Flag(help: "First make the tables, triggers and views of the project file what daw builds.")
  var repair = false

  @OptionGroup var project: ProjectOptions

  func perform() throws -> CommandResult {
    let repairs = repair ? try Session.repairSchema(try ProjectFinder().find(project.project)) : []
    let session = try project.open()
    defer { session.close() }
    var result = try perform(on: session)
    result.warnings = repairs.map { "repaired: \($0)" }
    return result
  }

  func perform(on session: Session) throws -> CommandResult {
    if record { _ = try session.recordExternalWrites() }
    let report = try session.check()
    let faults = report.findings.filter { !$0.isNotice }
    let lines = report.findings.flatMap { ["\($0.code): \($0.message)", "  \($0.hint)"] }
    let verdict = faults.isEmpty ? "All is well." : "\(counted(faults.count, "fault")) found."
    let users = report.openElsewhere.map { "Open in process \($0.processID) (\($0.name))." }
    return CommandResult(
      lines: lines + users + [verdict],
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
