import ArgumentParser
import DAWProject

struct Undo: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take back the newest edits.",
    discussion: """
      Undoing is an edit too: it gets a revision of its own, and 'daw redo' takes it back.

        daw undo
        daw undo 3
        daw undo --mine
      """)

  @Argument(help: "How many edits.", transform: Int.init(typed:))
  var count = 1

  @Flag(help: "Take back one's own newest edit, if nothing later depends on it.")
  var mine = false

  @OptionGroup var edit: EditOptions

  var output: OutputOptions { edit.project.output }

  func perform() throws -> CommandResult {
    let session = try edit.open()
    defer { session.close() }
    let result =
      mine
      ? try session.undoMine(origin: .current, isTrial: edit.dryRun, ifRevision: edit.ifRevision)
      : try session.undo(count, origin: .current, isTrial: edit.dryRun, ifRevision: edit.ifRevision)
    return edit.report("Undid", result.value.map(JournalLine.init), revision: result.revision)
  }

  func validate() throws {
    guard (1...1_000_000).contains(count) else { throw ValidationError("The number of edits is 1 or more.") }
    if mine, count != 1 { throw ValidationError("'--mine' takes back one edit.") }
  }
}
