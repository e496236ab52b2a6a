import ArgumentParser
import DAWErrors
import DAWProject

struct Relink: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "relink",
    abstract: "Find the files of missing media again, wherever they are now.",
    discussion: """
      A file is known by its bytes, whatever its name. What was linked stays linked, to where it is now; what belongs to \
      the project is copied into its folder. What 'daw record --spill' has written elsewhere stays where it is found. \
      Files outside the project's folder are only read.

        daw relink
        daw relink --search ~/Samples --search /media/disk
      """)

  @Option(
    help: ArgumentHelp(
      "Where to look besides the project's folder, in all folders below; repeatable.", valueName: "folder"),
    completion: .directory)
  var search: [String] = []

  @OptionGroup var edit: EditOptions

  var output: OutputOptions { edit.project.output }

  func perform() throws -> CommandResult {
    let session = try edit.open()
    defer { session.close() }
    let result = try session.relink(
      searching: [session.folder.path] + search, .current, isTrial: edit.dryRun, ifRevision: edit.ifRevision)
    let report = result.value
    let remark = edit.dryRun && !report.found.isEmpty ? ["Only tried: nothing was changed."] : []
    let lines =
      report.found.map { "Found '\($0.medium)' again: '\($0.file)'." }
      + report.missing.map { "'\($0)' is still missing." }
    var shown = CommandResult(
      lines: lines.isEmpty ? ["No medium is missing."] : lines + remark, made: report.found.map(\.file),
      json: JSONObject([
        "revision": result.revision, "isDryRun": edit.dryRun, "isChanged": result.entry != nil,
        "found": report.found.map { JSONObject(["medium": $0.medium, "file": $0.file]) }, "missing": report.missing,
        "unread": report.unread,
      ]), warnings: report.unread.map { "'\($0)' could not be read: files in it were not found." },
      exitStatus: report.missing.isEmpty ? ExitStatus.done : ExitStatus.of(.noInput))
    shown.hasEdited = !edit.dryRun && result.entry != nil
    return shown
  }
}
