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

struct History: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the edits, the newest first.",
    discussion: """
      Shows the edits that made the project what it is, and those that 'daw redo' would bring back.

        daw history
        daw history --all --json
      """)

  @Flag(help: "The whole journal: undos and redos too, and branches that were left behind.")
  var all = false

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let lines = try session.historyLines(includesAll: all)
    var table = TextTable(.number, .plain, .text, .text)
    for line in lines {
      table.add([
        "\(line.revision)", "\(Wording.date(line.date))", "\(line.author)",
        TextTable.Cell(
          line.status == .applied ? line.summary : "\(line.summary) (\(line.status?.rawValue ?? ""))",
          line.status == .applied ? nil : .dim),
      ])
    }
    return CommandResult(lines: table.lines(), made: lines.map { "\($0.revision)" }, json: lines)
  }
}

struct SetHistory: ReadCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set how much history is kept.",
    discussion: """
      What passes a limit is pruned: first edits that were undone and left behind, then the oldest, behind which undo \
      does not reach any more. The project itself stays as it is. Without options the limits are printed.

        daw set-history --count 1000
        daw set-history --age 90 --megabytes none
      """)

  @Option(
    help: ArgumentHelp("How many edits to keep, or none for no limit.", valueName: "n"),
    transform: HistoryLimit.init(typed:))
  var count: HistoryLimit?

  @Option(
    help: ArgumentHelp("How many days to keep them, or none for no limit.", valueName: "days"),
    transform: HistoryLimit.init(typed:))
  var age: HistoryLimit?

  @Option(
    help: ArgumentHelp("How large they may be in all, or none for no limit.", valueName: "MB"),
    transform: HistoryLimit.init(typed:))
  var megabytes: HistoryLimit?

  @OptionGroup var project: ProjectOptions

  private static let day: Int64 = 86_400_000
  private static let megabyte: Int64 = 1_000_000

  func perform(on session: Session) throws -> CommandResult {
    var limits = try session.journalLimits()
    if let count { limits.count = count.number }
    if let age { limits.age = age.number.map { Int64($0) * Self.day } }
    if let megabytes { limits.bytes = megabytes.number.map { Int64($0) * Self.megabyte } }
    if count != nil || age != nil || megabytes != nil { try session.setJournalLimits(limits) }
    let words = [
      limits.count.map { counted($0, "edit") }, limits.age.map { counted(Int($0 / Self.day), "day") },
      limits.bytes.map { Wording.size($0) },
    ].compactMap { $0 }
    return CommandResult(
      text: words.isEmpty ? "All history is kept." : "History is kept up to \(words.joined(separator: ", ")).",
      json: JSONObject([
        "count": limits.count, "ageDays": limits.age.map { $0 / Self.day }, "byteCount": limits.bytes,
      ]))
  }
}

/// A limit of the history, or `none`.
struct HistoryLimit {
  var number: Int?

  init(typed text: String) throws {
    guard text.lowercased() != "none" else { return }
    guard let number = wholeNumber(text), (1...1_000_000_000).contains(number) else {
      throw Unreadable(text, "a limit is a whole number from 1 on, or none.")
    }
    self.number = number
  }
}

struct Revision: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "revision",
    abstract: "Print the number of the newest edit.",
    discussion: """
      Every edit, undo and redo counts one up. Given to --if-revision, it refuses the edit if another process edited \
      the project first.

        revision=$(daw revision)
        daw set-track Bass --volume -3 --if-revision $revision
      """)

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let revision = try session.read { try $0.revision() }
    return CommandResult(text: "\(revision)", made: ["\(revision)"], json: JSONObject(["revision": revision]))
  }
}
