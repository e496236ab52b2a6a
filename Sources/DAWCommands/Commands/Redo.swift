import ArgumentParser
import DAWProject

struct Redo: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "redo",
    abstract: "Make edits again that were undone.",
    discussion: """
        daw redo
        daw redo 3
      """)

  @Argument(help: "How many edits.", transform: Int.init(typed:))
  var count = 1

  @OptionGroup var edit: EditOptions

  var output: OutputOptions { edit.project.output }

  func perform() throws -> CommandResult {
    let session = try edit.open()
    defer { session.close() }
    let result = try session.redo(count, origin: .current, isTrial: edit.dryRun, ifRevision: edit.ifRevision)
    return edit.report("Redid", result.value.map(JournalLine.init), revision: result.revision)
  }

  func validate() throws {
    guard (1...1_000_000).contains(count) else { throw ValidationError("The number of edits is 1 or more.") }
  }
}

extension EditOptions {
  /// The result of an undo or a redo.
  func report(_ verb: String, _ lines: [JournalLine], revision: Int64) -> CommandResult {
    let summary = lines.map { "\(verb): \($0.description)." }
    return CommandResult(
      lines: summary + (dryRun ? ["Only tried: nothing was changed."] : []),
      json: JSONObject(["revision": revision, "isDryRun": dryRun, "edits": lines]))
  }
}
