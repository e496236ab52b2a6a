import DAWStore

/// An entry of the journal, for people and as JSON.
public struct JournalLine: Encodable, Sendable {
  public var revision: Int64
  public var kind: JournalEntry.Kind
  /// What it did.
  public var summary: String
  /// user@host.
  public var author: String
  /// ISO 8601 in UTC.
  public var date: String
  /// As it was typed.
  public var commandLine: String
  /// Where the entry stands now; `nil` where that was not asked for.
  public var standing: JournalStanding?

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

extension Session {
  /// The edits, newest first; see `ProjectStore.history`.
  /// - Throws: `Failure`.
  public func historyLines(includesAll: Bool) throws -> [JournalLine] {
    try history(includesAll: includesAll).map { entry, standing in
      var line = JournalLine(entry)
      line.standing = standing
      return line
    }
  }
}
