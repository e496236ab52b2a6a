import ArgumentParser
import DAWErrors
import DAWInterchange
import DAWModel
import DAWProject
import DAWTime
import DAWWork
import Foundation

struct Search: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Find words in names, comments, lyrics, notes and transcripts.",
    discussion: """
      Finds what has all the words, in any order: "words in quotation marks" follow each other, and beg* is the beginning \
      of a word. Case and accents do not matter. The best results come first, each with its place, from which 'daw play \
      --from' plays.

        daw search sad verse
        daw search '"second verse"' --kind lyric
        daw search 'chor*' --track Vocal --since 2w
        daw search guitar --kind transcript
        daw search uitar --substring
        daw search chorus --in ~/Music
      """)

  @Argument(help: "What to find.")
  var words: [String]

  @Option(
    help: ArgumentHelp(
      "Only of this kind; repeatable: \(SearchKind.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "kind"),
    completion: .list(SearchKind.allCases.map(\.rawValue)), transform: Search.kind)
  var kind: [SearchKind] = []

  @Option(help: ArgumentHelp("Only what lies on this track, or is about it.", valueName: "track"))
  var track: String?

  @OptionGroup var range: StartRangeOptions

  @Option(
    help: "Only what was made since then: 30m, 2h, 3d or 1w ago, or a date in UTC such as 2026-11-20.",
    transform: PastTime.init(typed:))
  var since: PastTime?

  @Flag(help: "Find it within words too, spaces and signs included.")
  var substring = false

  @Option(
    name: .customLong("in"), help: ArgumentHelp("Search all projects below this folder.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  @OptionGroup var pages: PageOptions

  @OptionGroup var project: ProjectOptions

  var output: OutputOptions { project.output }

  /// Characters of an excerpt, where they fit.
  private static let excerptLength = 160

  func validate() throws {
    if folder != nil, !range.isEmpty || project.project != nil {
      throw Exclusion.error("'--in' searches many projects: it goes without '--from', '--to' and '-p'.")
    }
  }

  func perform() throws -> CommandResult {
    let typed = words.joined(separator: " ")
    guard let query = substring ? SearchQuery(part: typed) : SearchQuery(words: typed) else {
      throw Failure(
        .usage, code: "usage",
        "There is nothing to look for, or too much: 1 … \(SearchQuery.maximumWordCount) words, "
          + "\(SearchQuery.maximumPartLength) characters.",
        hint: "Type some words, such as 'daw search second verse'.")
    }
    // What scripts read does not depend on the terminal.
    let room = output.form == .text ? Terminal.columns().map { max(20, $0 - 4) } : nil
    var request = SearchRequest(
      query, kinds: Set(kind), track: track, since: since?.timestamp(now: Date()), limit: pages.limit,
      offset: pages.offset, excerptLength: min(Self.excerptLength, room ?? .max))
    if let folder { return Self.result(try Session.search(below: folder, request)) }
    let session = try project.open()
    defer { session.close() }
    if !range.isEmpty {
      let ticks = try session.read { try range.ticks(in: session.timeline(of: $0)) }
      (request.from, request.to) = (ticks.from, ticks.to)
    }
    return Self.result(try session.search(request))
  }

  private static func result(_ page: SearchPage) -> CommandResult {
    let more = page.hasMore ? [StyledLine("There are more; see --page.")] : []
    return CommandResult(
      lines: page.results.isEmpty ? ["Nothing found."] : page.results.flatMap(\.lines) + more,
      made: page.results.map(\.id),
      json: JSONObject([
        "results": page.results.map(\.json), "hasMore": page.hasMore, "warnings": page.problems,
      ]), warnings: page.problems)
  }

  private static func kind(_ text: String) throws -> SearchKind {
    try SearchKind(typed: text, listedAs: "the kinds are")
  }
}

extension SearchResult {
  private var ticks: TickPosition? { position.map { tempoMap.ticks(at: $0) } }

  /// What it is, where, and an excerpt in which what was found stands out.
  fileprivate var lines: [StyledLine] {
    var words = [ticks.map { Wording.place($0, in: tempoMap) }, kind.rawValue].compactMap(\.self)
    switch (track, region) {
    case (let track?, let region?):
      words.append("\(kind == .region ? "on" : "in") '\(track.name)\(kind == .region ? "" : "/\(region.name)")'")
    case (let track?, nil) where kind != .track: words.append("on '\(track.name)'")
    default: break
    }
    if let confidence { words.append("\(Int((confidence * 100).rounded())) %") }
    if let project { words.append("in \(project.path)") }
    let head = TextWrapping.lines(words.joined(separator: "  "), width: Terminal.columns(), indentation: 2)
    return head.map { StyledLine([($0, .dim)]) }
      + [StyledLine([("  ", nil)] + excerpt.parts.map { ($0.text, $0.isMatch ? .bold : nil) })]
  }

  fileprivate var json: JSONObject {
    JSONObject([
      "kind": kind.rawValue, "id": id, "project": project?.path, "track": track?.name.text,
      "trackID": track?.id.uuidString, "region": region?.name.text, "regionID": region?.id.uuidString,
      "position": ticks.map { "\(tempoMap.barBeatTick(at: $0))" },
      "startTime": ticks.map { tempoMap.flicks(at: $0).seconds }, "startTicks": ticks?.ticks,
      "confidence": confidence, "text": excerpt.text,
      "parts": excerpt.parts.map { JSONObject(["text": $0.text, "isMatch": $0.isMatch]) },
    ])
  }
}
