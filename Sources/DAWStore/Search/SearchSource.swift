import DAWModel
import DAWTime
import GRDB

/// Where the texts of a kind stand in the project file. `all` is the list of everything that is searched.
struct SearchSource: Sendable {
  let kind: SearchKind
  /// The table whose changes, which the journal tells, change the texts.
  let table: String
  /// Whether a text belongs to the row that the table's rows refer to by their second column, rather than to one row.
  let isOfOwner: Bool
  /// For texts of facts, which are in no journal: the SQL of their ids, and of a number that changes when a text does.
  private let stamps: String?
  /// The SQL of the rows' ids and texts, with a place for a condition on the id. A text may have several parts, each a
  /// row.
  private let rows: @Sendable (_ condition: String) -> String
  private let text: @Sendable (_ parts: [StoredValue]) -> String

  /// A source with a text for each row of a table.
  /// - Parameter text: an SQL expression.
  init(_ kind: SearchKind, in table: String, text: String) {
    (self.kind, self.table, isOfOwner, stamps) = (kind, table, false, nil)
    rows = { "SELECT id, \(text) FROM \(table) WHERE \($0.isEmpty ? "1" : "id \($0)") ORDER BY id" }
    self.text = { $0.first.flatMap(String.init(stored:)) ?? "" }
  }

  /// The texts and lyrics of regions' MIDI events, those of a region joined.
  private init(lyrics: SearchKind) {
    (kind, table, isOfOwner, stamps) = (lyrics, RegionEvent.table, true, nil)
    rows = { condition in
      """
      SELECT region, bytes FROM \(RegionEvent.table) WHERE kind = \(RegionEvent.Message.Kind.meta.rawValue)
        AND number IN (\(Lyrics.metaTypes.map(String.init).joined(separator: ", ")))
        \(condition.isEmpty ? "" : "AND region \(condition)") ORDER BY region, startTime, id
      """
    }
    text = { parts in
      Lyrics(
        parts.map { part in
          guard case .bytes(let bytes) = part else { return "" }
          return RegionEvent.Message.meta(type: 5, bytes).text ?? ""
        }
      ).text
    }
  }

  /// Current transcripts: the user's texts, and where there is none what an engine heard.
  private init(transcripts: SearchKind) {
    (kind, table, isOfOwner) = (transcripts, TranscriptText.table, false)
    // An index of the table has both columns. A transcript that is not current has a stamp and no text: nothing is
    // found of it.
    stamps = "SELECT id, createdAt FROM \(Transcript.table)"
    rows = { condition in
      """
      SELECT transcript.id, coalesce(transcriptText.text, transcript.text)
        FROM transcript LEFT JOIN transcriptText ON transcriptText.id = transcript.id
        WHERE transcript.isCurrent = 1 \(condition.isEmpty ? "" : "AND transcript.id \(condition)")
        ORDER BY transcript.id
      """
    }
    text = { $0.first.flatMap(String.init(stored:)) ?? "" }
  }

  /// Summaries of recordings. No edit changes them.
  private init(summaries: SearchKind) {
    (kind, table, isOfOwner) = (summaries, Summary.table, false)
    stamps = "SELECT id, createdAt FROM \(Summary.table)"
    rows = { "SELECT id, text FROM \(Summary.table) WHERE \($0.isEmpty ? "1" : "id \($0)") ORDER BY id" }
    text = { $0.first.flatMap(String.init(stored:)) ?? "" }
  }

  static let all = [
    SearchSource(.project, in: "project", text: "name"),
    SearchSource(.track, in: Track.table, text: "name"),
    SearchSource(.region, in: Region.table, text: "name"),
    SearchSource(.take, in: Take.table, text: "name || char(10) || tags"),
    SearchSource(.group, in: TrackGroup.table, text: "name"),
    SearchSource(.marker, in: Marker.table, text: "name"),
    SearchSource(.comment, in: Comment.table, text: "text"),
    SearchSource(.recording, in: RecordingNote.table, text: "title || char(10) || coalesce(notes, '')"),
    SearchSource(lyrics: .lyric),
    SearchSource(transcripts: .transcript),
    SearchSource(summaries: .summary),
  ]

  static func of(_ kind: SearchKind) -> SearchSource? { all.first { $0.kind == kind } }

  /// Calls `body` with each text and the row that it belongs to.
  /// - Parameter ids: of the rows to read; `nil` for all.
  func forEachText(
    of ids: [Int64]?, in database: Database, _ body: (_ id: Int64, _ text: String) throws -> Void
  ) throws {
    let (condition, arguments): (String, StatementArguments) =
      switch ids {
      case nil: ("", [])
      case .some(let ids) where ids.count == 1: ("= ?", [ids[0]])
      case .some(let ids):
        ("IN (SELECT value FROM json_each(?))", ["[\(ids.map(String.init).joined(separator: ","))]"])
      }
    var current: (id: Int64, parts: [StoredValue])?
    try StatementRow.forEach(rows(condition), arguments, in: database) { row in
      if current?.id == row.integer(0) {
        current?.parts.append(row.value(1))
      } else {
        if let current { try body(current.id, text(current.parts)) }
        current = (row.integer(0), [row.value(1)])
      }
    }
    if let current { try body(current.id, text(current.parts)) }
  }

  /// Of facts: a number for each that changes when its text does; `nil` for what the journal tells.
  func stamps(in database: Database) throws -> [Int64: Int64]? {
    guard let stamps else { return nil }
    var found: [Int64: Int64] = [:]
    try StatementRow.forEach(stamps, in: database) { found[$0.integer(0)] = $0.integer(1) }
    return found
  }
}

/// The syllables of a song's text as one text. A hyphen at a syllable's end joins it to the next one. Where a syllable
/// begins or ends with a space, as in karaoke files, the spaces between words are there already.
package struct Lyrics {
  /// The types of the meta events that they are taken from: texts and lyrics.
  package static let metaTypes = [1, 5]

  package private(set) var text = ""
  private var starts: [String.Index] = []

  package init(_ syllables: [String]) {
    // Signs of karaoke files for a new line, and for a new verse.
    let syllables = syllables.map { $0.replacing(/^[\/\\]/, with: " ") }
    let hasSpaces = syllables.contains { $0.first?.isWhitespace == true || $0.last?.isWhitespace == true }
    var offsets: [Int] = []
    var isOpen = true
    for syllable in syllables {
      if !hasSpaces, !isOpen { text += " " }
      offsets.append(text.utf8.count)
      isOpen = syllable.count > 1 && syllable.hasSuffix("-")
      text += isOpen ? String(syllable.dropLast()) : syllable
    }
    starts = offsets.map { text.utf8.index(text.startIndex, offsetBy: $0) }
  }

  /// The number of the syllable that has a place of the text.
  package func syllable(at place: String.Index) -> Int? { starts.lastIndex { $0 <= place } }
}

extension ProjectView {
  /// The text that is searched of a row; `nil` if there is none.
  package func searchedText(_ kind: SearchKind, of row: Int64) throws -> String? {
    var found: String?
    try SearchSource.of(kind)?.forEachText(of: [row], in: database) { found = $1 }
    return found
  }
}
