import DAWStore

/// An entry of the journal, as text and as JSON.
public struct JournalLine: Encodable, Sendable {
  public var revision: Int64
  public var kind: JournalEntry.Kind
  /// One line that describes the edit.
  public var summary: String
  /// user@host.
  public var author: String
  /// ISO 8601 in UTC.
  public var date: String
  /// The command line as it was typed.
  public var commandLine: String
  /// Set in listings of the history. In JSON it is `standing`.
  public var status: JournalStatus?
  /// What it changed, a line for each row, for users; in listings of the history, and empty if the summary says it.
  public var changes: [String]?

  private enum CodingKeys: String, CodingKey {
    case revision, kind, summary, author, date, commandLine, changes
    case status = "standing"
  }

  /// How many rows of a kind are told one by one in a listing of the history.
  static let maximumChanges = 3

  public init(_ entry: JournalEntry) {
    revision = entry.revision
    kind = entry.kind
    summary = entry.summary
    author = entry.author
    date = entry.date.iso8601
    commandLine = entry.commandLine
  }
}

extension JournalLine: CustomStringConvertible {
  /// "Added track 'Bass' (revision 4, by ann@studio, 2026-11-21 08:00:00 UTC)".
  public var description: String {
    "\(summary) (revision \(revision), by \(author), \(date.prefix(19).replacing("T", with: " ")) UTC)"
  }
}
