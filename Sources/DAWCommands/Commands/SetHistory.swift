import ArgumentParser
import DAWProject

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
