import ArgumentParser
import DAWInterchange
import DAWProject

struct ShowEdit: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "show-edit",
    abstract: "Show what an edit changed, field by field.",
    discussion: """
      Values are shown as old → new. Things are called as they are called now, or as they were when they were removed; \
      with --json every row and field is there, as the project file has it.

        daw show-edit
        daw show-edit 12 --json
      """)

  @Argument(
    help: ArgumentHelp("The edit's number, as 'daw history' lists it. (default: the newest)", valueName: "revision"),
    transform: Int64.init(typedRevision:))
  var revision: Int64?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (line, report) = try session.edit(ofRevision: revision, limit: project.output.limit)
    let command = line.commandLine.isEmpty ? "" : ": \(line.commandLine)"
    let heading: [StyledLine] = [
      StyledLine([("Revision \(line.revision): ", nil), (line.summary, .bold)]),
      StyledLine([("\(Wording.date(line.date)), \(line.author)\(command)", .dim)]),
    ]
    let frame = JSONObject([
      "revision": line.revision, "kind": line.kind.rawValue, "summary": line.summary, "author": line.author,
      "date": line.date, "commandLine": line.commandLine, "changes": ChangedRows(report: report),
    ])
    let changes: [StyledLine] =
      report.isEmpty ? ["  No row has changed."] : changeLines(report.lines(), indentation: "  ")
    return CommandResult(
      lines: heading.flatMap { $0.fitted(indentation: 2) } + changes,
      made: ["\(line.revision)"], json: frame)
  }
}

struct Diff: ReadCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what differs between two revisions of the project.",
    discussion: """
      What was changed and changed back in between is left out. Without a second revision, what differs from then to now.

        daw diff 3
        daw diff 3 7
        daw diff 7 3 --json
      """)

  @Argument(
    help: ArgumentHelp("The earlier revision, as 'daw history' lists it.", valueName: "revision"),
    transform: Int64.init(typedRevision:))
  var from: Int64

  @Argument(
    help: ArgumentHelp("The later revision. (default: now)", valueName: "revision"),
    transform: Int64.init(typedRevision:))
  var to: Int64?

  @OptionGroup var project: ProjectOptions

  func perform(on session: Session) throws -> CommandResult {
    let (to, report) = try session.difference(from: from, to: to, limit: project.output.limit)
    let lines = changeLines(report.lines(), indentation: "")
    return CommandResult(
      lines: report.isEmpty ? ["Revisions \(from) and \(to) do not differ."] : lines,
      json: JSONObject(["from": from, "to": to, "changes": ChangedRows(report: report)]))
  }
}

extension OutputOptions {
  /// How many rows of a kind are told one by one; in JSON all are.
  fileprivate var limit: Int? { json ? nil : 20 }
}

extension Int64 {
  /// The number of a revision.
  init(typedRevision text: String) throws {
    guard let number = wholeNumber(text), number >= 0 else {
      throw Unreadable(text, "a revision is a whole number, as 'daw history' lists them.")
    }
    self.init(number)
  }
}
