import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTime

/// What to search for, and what of it to return.
public struct SearchRequest: Sendable {
  public var query: SearchQuery
  /// Empty: all.
  public var kinds: Set<SearchKind>
  /// Only what lies on this track, by its name or id.
  public var track: String?
  /// Only what has a place at or after this one.
  public var from: TickPosition?
  /// Only what has a place before this one.
  public var to: TickPosition?
  /// Only what was made since then.
  public var since: Timestamp?
  public var limit: Int
  public var offset: Int
  /// The length of an excerpt, in characters.
  public var excerptLength: Int

  public init(
    _ query: SearchQuery, kinds: Set<SearchKind> = [], track: String? = nil, from: TickPosition? = nil,
    to: TickPosition? = nil, since: Timestamp? = nil, limit: Int = 50, offset: Int = 0, excerptLength: Int = 160
  ) {
    (self.query, self.kinds, self.track, self.from, self.to) = (query, kinds, track, from, to)
    (self.since, self.limit, self.offset, self.excerptLength) = (since, limit, offset, excerptLength)
  }
}

/// A text that has what was looked for.
public struct SearchResult: Sendable {
  public var kind: SearchKind
  /// The id of the row; of lyrics the event's.
  public var id: String
  public var track: Track?
  public var region: Region?
  /// Where it is on the timeline, if it is at one place.
  public var position: TimelinePosition?
  /// How sure an engine was of what was found in a transcript, 0 … 1; `nil` if it does not tell, or a person wrote it.
  public var confidence: Double?
  public var excerpt: SearchExcerpt
  /// The map that gives the position in ticks and seconds.
  public var tempoMap: TempoMap
  /// The project, where several were searched.
  public var project: ProjectFolder?
}

public struct SearchPage: Sendable {
  public var results: [SearchResult] = []
  public var hasMore = false
  /// Projects that could not be searched.
  public var problems: [String] = []
}

/// Collects the results of a page, in order.
struct SearchPaging {
  private let request: SearchRequest
  private var skipped = 0
  private(set) var page = SearchPage()

  init(_ request: SearchRequest) { self.request = request }

  var isComplete: Bool { page.hasMore }

  mutating func add(_ result: SearchResult) {
    if skipped < request.offset {
      skipped += 1
    } else if page.results.count < request.limit {
      page.results.append(result)
    } else {
      page.hasMore = true
    }
  }

  mutating func note(unsearched project: ProjectFolder, _ error: any Error) {
    page.problems.append("'\(project.path)' was not searched: \(Failure(error).message)")
  }
}
