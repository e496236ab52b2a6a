import ArgumentParser
import DAWErrors
import DAWProject
import DAWRender

struct Check: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Verify the project: its file, its rules, its history and its media.",
    discussion: """
      Reports problems and how to repair them. The exit status is 0 only where all is well, else 65. Nothing is changed.

        daw check
        daw check --json

      With --record, what another program has written into the project file is first put into the history, so that it can \
      be undone.

      A file that has triggers or views of another program, or whose tables were changed, is not opened. --repair makes a \
      backup, removes them, and builds the changed tables again; where that would lose rows, nothing is done. It also finds \
      media that were moved, finishes recordings whose processes are gone, and marks recorded files that are gone. It \
      removes damaged files from Cache/, which are made again when they are needed, and kept renders that no bounce reads \
      again. What it did is listed. Files outside the project are only read.
      """)

  @Flag(help: "First put what another program has written into the history.")
  var record = false

  @Flag(help: "First repair the project file's schema, find moved media, and finish recordings that were left.")
  var repair = false

  @Option(
    help: ArgumentHelp(
      "With --repair: where to look for media besides the project's folder; repeatable.", valueName: "folder"),
    completion: .directory)
  var search: [String] = []

  @OptionGroup var project: ProjectOptions

  func validate() throws {
    if !search.isEmpty, !repair { throw ValidationError("'--search' goes with '--repair'.") }
  }

  func perform() throws -> CommandResult {
    let folder = try ProjectFinder().find(project.project)
    let repairs = repair ? try Session.repairSchema(folder) : []
    do {
      return try perform(in: folder, repairs)
    } catch  where !repairs.isEmpty {
      throw Failure(error).after(
        ["the schema of the project file was repaired"], "'daw check --repair' goes on.")
    }
  }

  /// - Parameter repairs: of the project file's schema, as sentences.
  private func perform(in folder: ProjectFolder, _ repairs: [String]) throws -> CommandResult {
    var repairs = repairs
    let session = try Session.open(folder, isForEditing: repair)
    defer { session.close() }
    if repair { repairs += try session.repair(searching: search, .current) + session.removeUselessRenders() }
    var result = try result(of: session, repairs)
    result.warnings = repairs.map { "repaired: \($0)" }
    result.hasEdited = !repairs.isEmpty
    return result
  }

  func perform(on session: Session) throws -> CommandResult { try result(of: session, []) }

  /// - Parameter repairs: what was repaired before, as sentences.
  private func result(of session: Session, _ repairs: [String]) throws -> CommandResult {
    if record { _ = try session.recordExternalWrites() }
    let report = try session.check()
    let findings = try report.findings + session.renderFindings()
    let faults = findings.filter { !$0.isNotice }
    let lines = findings.flatMap { ["\($0.code): \($0.message)", "  \($0.hint)"] }
    let notices = findings.count - faults.count
    let found = counted(faults.count, "fault") + (notices == 0 ? "" : " and \(counted(notices, "notice"))")
    let verdict = faults.isEmpty ? "All is well." : "\(found) found."
    let users = report.openElsewhere.map { "Open in process \($0.processID) (\($0.name))." }
    return CommandResult(
      lines: lines + users + [verdict],
      json: JSONObject([
        "isWell": faults.isEmpty,
        "findings": findings.map {
          JSONObject(["code": $0.code, "message": $0.message, "hint": $0.hint, "isNotice": $0.isNotice])
        },
        "openElsewhere": report.openElsewhere.map {
          JSONObject(["processID": Int($0.processID), "name": $0.name])
        }, "repairs": repairs,
      ]),
      exitStatus: faults.isEmpty ? ExitStatus.done : ExitStatus.of(.invalid))
  }
}
