import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWProject

struct Recover: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover",
    abstract: "Make a new project of what can be read of a damaged one.",
    discussion: """
      For a project file that no command opens any more, or in which 'daw check' finds damage that 'daw check --repair' \
      cannot repair. The file is read page by page; what its tables lack is taken from the newest backup in its Backups/ \
      and from the changes in its history. Rows that break rules, or refer to what is lost, are left out. Media are copied. \
      The damaged project is only read. Where nothing was lost the history is kept; else it begins anew.

        daw recover Song -o Song-recovered
        daw check -p Song-recovered
      """)

  @Argument(help: "The damaged project: its folder, or the project file in it.", completion: .directory)
  var damaged: String

  @Option(
    name: [.customLong("output"), .customShort("o")],
    help: ArgumentHelp("The folder of the new project, which must not exist.", valueName: "path"))
  var target: String

  @OptionGroup var output: OutputOptions

  func validate() throws {
    try requireName(ofNew: target, "the new project")
  }

  func perform() throws -> CommandResult {
    let recovered = try Interruption.catching {
      try Session.recover(
        Self.project(damaged), to: ProjectFolder(toMake: target), origin: .current,
        isInterrupted: { Interruption.wasRequested })
    }
    let report = recovered.report
    var lines = ["Made '\(recovered.folder.path)'. Of the damaged file:"]
    lines += report.tables.map { table in
      var words = ["\(counted(table.readCount, "row")) read"]
      if table.backupCount > 0 { words.append("\(table.backupCount) from a backup") }
      if table.journalCount > 0 { words.append("\(table.journalCount) from the history") }
      if table.droppedCount > 0 { words.append("\(table.droppedCount) left out") }
      if table.unreadableCount > 0 { words.append("\(counted(table.unreadableCount, "place")) could not be read") }
      return "  \(table.name): \(words.joined(separator: ", "))"
    }
    if report.unassignedCount > 0 {
      lines.append("\(counted(report.unassignedCount, "row")) could not be told to be of any table, and are left out.")
    }
    if !report.backups.isEmpty { lines.append("Rows were taken from \(report.backups.joined(separator: ", ")).") }
    lines += recovered.recordings.map { "The recording '\($0)' was found again from its files." }
    lines.append(report.hasHistory ? "The history is kept." : "The history begins anew.")
    let warnings = recovered.findings.map { "\($0.code): \($0.message)" }
    lines.append(warnings.isEmpty ? "All is well." : "'daw check' says what is left to do.")
    return CommandResult(
      lines: lines, made: [recovered.folder.path],
      json: JSONObject([
        "path": recovered.folder.path,
        "tables": report.tables.map { table in
          JSONObject([
            "name": table.name, "readCount": table.readCount, "backupCount": table.backupCount,
            "journalCount": table.journalCount, "droppedCount": table.droppedCount,
            "unreadableCount": table.unreadableCount,
          ])
        },
        "unassignedCount": report.unassignedCount, "backups": report.backups, "recordings": recovered.recordings,
        "hasHistory": report.hasHistory, "warnings": warnings,
      ]), warnings: warnings)
  }

  /// A folder, with or without its ending, or the file in it.
  private static func project(_ path: String) -> ProjectFolder {
    let folder = ProjectFolder(path: path)
    if folder.isProject { return folder }
    let file = ProjectFolder(path: String(folder.path.dropLast("/project.sqlite".count)))
    if folder.path.hasSuffix("/project.sqlite"), file.isProject { return file }
    let made = ProjectFolder(toMake: path)
    return made.isProject ? made : folder
  }
}
