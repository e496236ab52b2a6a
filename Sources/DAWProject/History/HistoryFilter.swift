import DAWModel
import DAWStore

/// Which edits of the history are listed; `nil` for all.
public struct HistoryFilter: Sendable {
  /// The whole journal, as in `ProjectStore.history`.
  public var includesAll = false
  /// The newest ones of those that are left.
  public var limit: Int?
  /// A whole name, or what is before its `@`; case does not matter.
  public var author: String?
  public var since: Timestamp?
  /// Only edits of this track, of what lies on it, of its sends and those to it, or of its groups: its name or id.
  public var track: String?

  public init() {}
}

extension Session {
  /// The edits, newest first, each with what it changed. Only the changesets of edits that are listed are read, and
  /// with `HistoryFilter.track` those of newer ones.
  /// - Throws: `Failure`.
  public func historyLines(_ filter: HistoryFilter) throws -> [JournalLine] {
    try read { view in
      let track = try filter.track.map { try view.track(calledBy: $0) }
      let describer = try ChangeDescriber(view)
      var lines: [JournalLine] = []
      for (entry, status) in try view.history(includesAll: filter.includesAll) {
        if let limit = filter.limit, lines.count >= limit { break }
        if let since = filter.since, entry.date < since { continue }
        if let author = filter.author, !isAuthor(entry.author, calledBy: author) { continue }
        // The changes of the first ones are the whole project.
        let isWhole = [.create, .base].contains(entry.kind)
        let changes = isWhole && track == nil ? nil : try view.changes(of: entry)
        if let track, let changes, try !describer.concern(changes, track, since: entry.revision) { continue }
        var line = JournalLine(entry)
        line.status = status
        if !isWhole, let changes {
          let report = try describer.report(
            changes, of: entry.revision...entry.revision, limit: JournalLine.maximumChanges)
          line.changes = report.linesBesideSummary
        }
        lines.append(line)
      }
      return lines
    }
  }
}

/// Whether an author is meant by a name: the whole, or what is before its `@`, in either case.
func isAuthor(_ author: String, calledBy name: String) -> Bool {
  let (author, name) = (author.lowercased(), name.lowercased())
  return author == name || author.prefix { $0 != "@" } == name
}
