import ArgumentParser
import DAWModel
import DAWProject
import Foundation

struct Undo: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take back the newest edits.",
    discussion: """
      Undoing is an edit too: it gets a revision of its own, and 'daw redo' takes it back.

        daw undo
        daw undo 3
        daw undo --to 12
        daw undo --mine
      """)

  @Argument(help: "How many edits. (default: 1)", transform: Int.init(typed:))
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Take back every edit after this revision, so that the project is as it was then.", valueName: "revision"),
    transform: Int64.init(typedRevision:))
  var to: Int64?

  @Flag(help: "Take back one's own newest edit, if nothing later depends on it.")
  var mine = false

  @OptionGroup var edit: EditOptions

  var output: OutputOptions { edit.project.output }

  func perform() throws -> CommandResult {
    let session = try edit.open()
    defer { session.close() }
    let result =
      if mine {
        try session.undoMine(origin: .current, isTrial: edit.dryRun, ifRevision: edit.ifRevision)
      } else if let to {
        try session.undo(toRevision: to, origin: .current, isTrial: edit.dryRun, ifRevision: edit.ifRevision)
      } else {
        try session.undo(count ?? 1, origin: .current, isTrial: edit.dryRun, ifRevision: edit.ifRevision)
      }
    // The undo is made: that a warning cannot be worked out is no failure of it.
    var report = edit.report(
      "Undid", result.value.map(JournalLine.init), revision: result.revision,
      warnings: (try? session.soundlessReturns(of: result.value)) ?? [])
    if let to, result.value.isEmpty {
      report.lines = [StyledLine("The project is as it was at revision \(to) already. Nothing was changed.")]
    }
    return report
  }

  func validate() throws {
    guard (1...1_000_000).contains(count ?? 1) else { throw ValidationError("The number of edits is 1 or more.") }
    if mine, count ?? 1 != 1 { throw Exclusion.error("'--mine' takes back one edit.") }
    if to != nil, mine || count != nil {
      throw Exclusion.error("'--to' says how many edits to take back; '--mine' and a number exclude it.")
    }
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
    return edit.report(
      "Redid", result.value.map(JournalLine.init), revision: result.revision,
      warnings: (try? session.soundlessReturns(of: result.value, isRedo: true)) ?? [])
  }

  func validate() throws {
    guard (1...1_000_000).contains(count) else { throw ValidationError("The number of edits is 1 or more.") }
  }
}

extension EditOptions {
  /// The result of an undo or a redo.
  func report(
    _ verb: String, _ lines: [JournalLine], revision: Int64, warnings: [String]
  ) -> CommandResult {
    let summary = lines.map { "\(verb): \($0.description)." }
    var result = CommandResult(
      lines: summary + (dryRun ? ["Only tried: nothing was changed."] : []),
      json: JSONObject(["revision": revision, "isDryRun": dryRun, "edits": lines, "warnings": warnings]),
      warnings: warnings)
    result.hasEdited = !dryRun && !lines.isEmpty
    return result
  }
}

struct History: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the edits, the newest first, with what they changed.",
    discussion: """
      Shows the edits that made the project what it is, and those that 'daw redo' would bring back. Things are called as \
      they are called now. 'daw show-edit' shows all that an edit changed.

        daw history -n 10
        daw history --track Bass --since 2h
        daw history --author ada --since 2026-11-20
        daw history --all --json
      """)

  @Flag(help: "The whole journal: undos and redos too, and branches that were left behind.")
  var all = false

  @Option(
    name: [.customShort("n"), .customLong("limit")], parsing: .unconditional,
    help: ArgumentHelp("List at most this many, the newest.", valueName: "n"), transform: Int.init(typed:))
  var limit: Int?

  @Option(help: ArgumentHelp("Only an author's: user@host, or the user alone.", valueName: "name"))
  var author: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only since then: 30m, 2h, 3d or 1w ago, or a date in UTC such as 2026-11-20 or 2026-11-20T08:00.",
      valueName: "time"),
    transform: PastTime.init(typed:))
  var since: PastTime?

  @Option(help: "Only what changed this track, what lies on it, its sends and those to it, or its groups.")
  var track: String?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    var filter = HistoryFilter()
    (filter.includesAll, filter.limit, filter.author, filter.track) = (all, limit, author, track)
    filter.since = since?.timestamp(now: Date())
    let lines = try session.historyLines(filter)
    var table = TextTable(.number, .plain, .text, .text)
    for line in lines {
      table.add([
        "\(line.revision)", "\(Wording.date(line.date))", "\(line.author)",
        TextTable.Cell(
          line.status == .applied ? line.summary : "\(line.summary) (\(line.status?.rawValue ?? ""))",
          line.status == .applied ? nil : .dim),
      ])
    }
    let indent = String(repeating: " ", count: 2 + (lines.map { "\($0.revision)".count }.max() ?? 0))
    let text = zip(lines, table.lines()).flatMap { line, row in
      [row] + changeLines(line.changes ?? [], indentation: indent)
    }
    return CommandResult(
      lines: lines.isEmpty ? ["No such edits."] : text, made: lines.map { "\($0.revision)" }, json: lines)
  }

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("'-n' is a whole number from 1.") }
  }
}

struct SetHistory: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "set-history",
    abstract: "Set how much history is kept.",
    discussion: """
      What is beyond a limit is pruned: first edits that were undone and then replaced by others, then the oldest edits, \
      which can no longer be undone. The project itself stays as it is. Without options the limits are printed. A new \
      project has those of the last example.

        daw set-history --count 1000
        daw set-history --age 90 --megabytes none
        daw set-history --count 10000 --age none --megabytes 256
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
    transform: HistorySize.init(typed:))
  var megabytes: HistorySize?

  @OptionGroup var project: ProjectOptions

  private static let day: Int64 = 86_400_000

  func perform(on session: Session) throws -> CommandResult {
    var limits = try session.journalLimits()
    if let count { limits.count = count.number }
    if let age { limits.age = age.number.map { Int64($0) * Self.day } }
    if let megabytes { limits.bytes = megabytes.byteCount }
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

/// A limit of the history's size in MB, also with a point as sizes are printed, or `none`.
struct HistorySize {
  var byteCount: Int64?

  init(typed text: String) throws {
    guard text.lowercased() != "none" else { return }
    let megabytes = decimal(text[...]) ?? 0
    let bytes = (megabytes * 1_000_000).rounded()
    guard megabytes <= 1_000_000_000, bytes >= 1 else {
      throw Unreadable(text, "a limit is a number of MB such as 256 or 268.4, or none.")
    }
    byteCount = Int64(bytes)
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
