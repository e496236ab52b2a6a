import DAWModel
import DAWTime
import GRDB

/// The SQL of a table of facts, made from its fields.
struct FactSQL: Sendable {
  let columns: String
  /// The statement up to `FROM`; columns are qualified by the table's name.
  let select: String
  /// Adds a row, or replaces the values of that with its key.
  let save: String

  fileprivate init<Fact: RecordedFact>(_ fact: Fact.Type) {
    let names = Fact.fields.map(\.name)
    columns = names.joined(separator: ", ")
    select = Self.select(fact)
    let others = names.filter { !Fact.key.contains($0) }.map { "\($0) = excluded.\($0)" }
    save = """
      INSERT INTO \(Fact.table) (\(columns)) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (\(Fact.key.joined(separator: ", "))) DO UPDATE SET \(others.joined(separator: ", "))
      """
  }
}

extension FactSQL {
  fileprivate static let made = MadeOnce<String, FactSQL>()
  private static let selects = MadeOnce<[String], String>()

  /// - Parameter list: a column that is read as an empty list.
  fileprivate static func select<Fact: RecordedFact>(_ fact: Fact.Type, without list: String? = nil) -> String {
    selects.value(for: [Fact.table, list ?? ""]) {
      let columns = Fact.fields.map { $0.name == list ? "'[]'" : "\(Fact.table).\($0.name)" }
      return "SELECT \(columns.joined(separator: ", ")) FROM"
    }
  }
}

extension RecordedFact {
  static var sql: FactSQL { FactSQL.made.value(for: table) { FactSQL(Self.self) } }

  /// The rows of a query.
  /// - Parameters:
  ///   - source: the tables of the query, if there are several.
  ///   - rest: the query after its tables.
  ///   - list: a column that is not read; its list is empty.
  /// - Throws: `BrokenRow`.
  static func fetch(
    from source: String? = nil, _ rest: String, _ arguments: StatementArguments = [], without list: String? = nil,
    in database: Database
  ) throws -> [Self] {
    var rows: [Self] = []
    let select = list == nil ? sql.select : FactSQL.select(Self.self, without: list)
    try StatementRow.forEach("\(select) \(source ?? table) \(rest)", arguments, in: database) { columns in
      do throws(RuleViolation) {
        rows.append(try Self(columns))
      } catch {
        throw BrokenRow(violation: error, table: table, id: columns.integer(0))
      }
    }
    return rows
  }
}

/// The tables of facts, for reading. Valid as long as the view that they are read through.
/// - SeeAlso: `RecordingRepository`
public struct RecordedRows {
  let database: Database
  var kept: KeptRecordingIDs?

  public func recordingIDs() throws -> [RecordingID] {
    var ids: [RecordingID] = []
    try StatementRow.forEach("SELECT id FROM recording ORDER BY id", in: database) { row in
      ids.append(RecordingID(rawValue: row.integer(0)))
    }
    return ids
  }

  /// The ids of recordings that end in the same six hexadecimal digits as that of a recording, which is there. Reads
  /// all ids once for many calls.
  public func recordingIDs(endingAs id: RecordingID) throws -> [RecordingID] {
    guard let kept else { return try recordingIDs() }
    return try kept.ids(endingAs: id, in: self)
  }

  public func recording(_ id: RecordingID) throws -> Recording? {
    try Recording.fetch("WHERE id = ?", [id.rawValue], in: database).first
  }

  func completedRecordings() throws -> [RecordingID] {
    try Int64.fetchAll(database, sql: "SELECT id FROM recording WHERE isCompleted = 1 ORDER BY id")
      .map(RecordingID.init(rawValue:))
  }

  /// `nil` if there is no such recording.
  public func facts(of id: RecordingID) throws -> RecordingFacts? {
    guard let recording = try recording(id) else { return nil }
    return RecordingFacts(
      recording, passes: try passes(of: [id]), segments: try segments(of: id), gaps: try gaps(of: id, cause: nil))
  }

  public func passes(of recordings: [RecordingID]) throws -> [RecordedPass] {
    try RecordedPass.fetch(
      from: "\(Self.list) JOIN pass ON pass.recording = list.value", "ORDER BY recording, track, number",
      [Self.json(recordings.map(\.rawValue))], in: database)
  }

  public func pass(_ id: PassID) throws -> RecordedPass? {
    try RecordedPass.fetch("WHERE id = ?", [id.rawValue], in: database).first
  }

  public func passes(_ ids: [PassID]) throws -> [RecordedPass] {
    try RecordedPass.fetch(
      from: "\(Self.list) JOIN pass ON pass.id = list.value", "ORDER BY recording, track, number",
      [Self.json(ids.map(\.rawValue))], in: database)
  }

  /// Those of these passes that are of a recording.
  func passIDs(of recording: RecordingID, among ids: Set<PassID>) throws -> Set<PassID> {
    let statement = try database.cachedStatement(
      sql: "SELECT id FROM \(Self.list) JOIN pass ON pass.id = list.value WHERE recording = ?")
    let found = try Int64.fetchAll(statement, arguments: [Self.json(ids.map(\.rawValue)), recording.rawValue])
    return Set(found.map(PassID.init(rawValue:)))
  }

  func recordings(ofPasses ids: [PassID]) throws -> Set<RecordingID> {
    let statement = try database.cachedStatement(
      sql: "SELECT DISTINCT recording FROM \(Self.list) JOIN pass ON pass.id = list.value")
    return Set(
      try Int64.fetchAll(statement, arguments: [Self.json(ids.map(\.rawValue))]).map(RecordingID.init(rawValue:)))
  }

  /// A table of the distinct numbers of an argument, with the column `value`.
  private static let list = "(SELECT DISTINCT value FROM json_each(?)) AS list"

  private static func json(_ numbers: [Int64]) -> String { "[\(numbers.map(String.init).joined(separator: ","))]" }

  public func segments(of recording: RecordingID) throws -> [RecordedSegment] {
    try RecordedSegment.fetch(
      from: "pass JOIN segment ON segment.pass = pass.id", "WHERE pass.recording = ? ORDER BY pass, segmentIndex",
      [recording.rawValue], in: database)
  }

  /// How many segments each pass of a recording has that has any.
  public func segmentCounts(of recording: RecordingID) throws -> [PassID: Int] {
    var counts: [PassID: Int] = [:]
    try StatementRow.forEach(
      "SELECT pass, count(*) FROM segment WHERE pass IN (SELECT id FROM pass WHERE recording = ?) GROUP BY pass",
      [recording.rawValue], in: database
    ) { row in
      counts[PassID(rawValue: row.integer(0))] = Int(row.integer(1))
    }
    return counts
  }

  /// Some of the segments of a pass, in order of index.
  public func segments(of pass: PassID, limit: Int, offset: Int) throws -> [RecordedSegment] {
    try RecordedSegment.fetch(
      "WHERE pass = ? ORDER BY segmentIndex LIMIT ? OFFSET ?", [pass.rawValue, limit, offset], in: database)
  }

  /// The paths of the segments that lie outside of the project's folder.
  public func spilledPaths() throws -> [String] {
    try String.fetchAll(database, sql: "SELECT path FROM segment WHERE path GLOB '/*'")
  }

  /// The first file of a pass.
  public func firstSegment(of pass: PassID) throws -> RecordedSegment? {
    try RecordedSegment.fetch("WHERE pass = ? ORDER BY segmentIndex LIMIT 1", [pass.rawValue], in: database).first
  }

  public func gaps(of recording: RecordingID?, cause: GapCause?) throws -> [RecordedGap] {
    let (condition, arguments) = Self.condition(ofGaps: recording, cause)
    return try RecordedGap.fetch(
      from: recording == nil ? "gap" : "pass JOIN gap ON gap.pass = pass.id", "\(condition) ORDER BY gap.pass, start",
      arguments, in: database)
  }

  /// How many gaps each pass has that has any.
  public func gapCounts(of recording: RecordingID?, cause: GapCause?) throws -> [PassID: Int] {
    let (condition, arguments) = Self.condition(ofGaps: recording, cause)
    var counts: [PassID: Int] = [:]
    try StatementRow.forEach(
      "SELECT gap.pass, count(*) FROM gap JOIN pass ON pass.id = gap.pass \(condition) GROUP BY gap.pass", arguments,
      in: database
    ) { row in
      counts[PassID(rawValue: row.integer(0))] = Int(row.integer(1))
    }
    return counts
  }

  /// Some of the gaps of a pass, in order of start.
  public func gaps(
    of pass: PassID, cause: GapCause?, limit: Int, offset: Int
  ) throws -> [RecordedGap] {
    var arguments: StatementArguments = [pass.rawValue]
    if let cause { arguments += [cause.rawValue] }
    arguments += [limit, offset]
    return try RecordedGap.fetch(
      "WHERE pass = ?\(cause == nil ? "" : " AND cause = ?") ORDER BY start LIMIT ? OFFSET ?", arguments, in: database)
  }

  private static func condition(
    ofGaps recording: RecordingID?, _ cause: GapCause?
  ) -> (sql: String, arguments: StatementArguments) {
    var conditions: [String] = []
    var arguments: StatementArguments = []
    if let recording {
      conditions.append("pass.recording = ?")
      arguments += [recording.rawValue]
    }
    if let cause {
      conditions.append("gap.cause = ?")
      arguments += [cause.rawValue]
    }
    return (conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))", arguments)
  }

  public func recordings(_ filter: RecordingFilter) throws -> RecordingPage {
    var conditions = [filter.isTrashed ? "trashedAt IS NOT NULL" : "trashedAt IS NULL"]
    var arguments: StatementArguments = []
    if filter.isRunning { conditions.append("isCompleted = 0") }
    if let since = filter.since {
      conditions.append("createdAt >= ?")
      arguments += [since.milliseconds]
    }
    let condition = "WHERE \(conditions.joined(separator: " AND "))"
    let (limit, offset) = (max(0, filter.limit), max(0, filter.offset))
    arguments += [limit < .max ? limit + 1 : limit, offset]
    var recordings = try Recording.fetch(
      "\(condition) ORDER BY createdAt DESC, id DESC LIMIT ? OFFSET ?", arguments, in: database)
    let hasMore = recordings.count > limit
    if hasMore { recordings.removeLast() }
    let counts = try counts(of: recordings.map(\.id))
    return RecordingPage(
      summaries: recordings.map { recording in
        let count = counts[recording.id.rawValue] ?? Counts()
        return RecordingSummary(
          recording, passCount: count.passes, trackCount: count.tracks, gapCount: count.gaps,
          lostFrames: count.lostFrames)
      }, hasMore: hasMore)
  }

  private struct Counts {
    var passes = 0
    var tracks = 0
    var gaps = 0
    var lostFrames = FrameCount.zero

    /// - Parameter gap: zero for a pass without gaps.
    mutating func add(isNewTrack: Bool, isNewPass: Bool, gap: FrameCount) {
      tracks += isNewTrack ? 1 : 0
      passes += isNewPass ? 1 : 0
      gaps += gap > .zero ? 1 : 0
      lostFrames = lostFrames + gap
    }
  }

  /// Counted here, not by SQLite: its `count(DISTINCT)` took twice the instructions. The passes of a recording come in
  /// the order of their index, and so do the gaps of each.
  private func counts(of recordings: [RecordingID]) throws -> [Int64: Counts] {
    var counts: [Int64: Counts] = [:]
    var last: (recording: Int64, track: Int64, pass: Int64) = (0, 0, 0)
    try StatementRow.forEach(
      """
      SELECT pass.recording, pass.track, pass.id, gap.frames FROM json_each(?) AS list
        CROSS JOIN pass INDEXED BY passByRecording ON pass.recording = list.value
        LEFT JOIN gap ON gap.pass = pass.id
      """, [Self.json(recordings.map(\.rawValue))], in: database
    ) { row in
      let (recording, track, pass) = (row.integer(0), row.integer(1), row.integer(2))
      counts[recording, default: Counts()].add(
        isNewTrack: recording != last.recording || track != last.track, isNewPass: pass != last.pass,
        gap: FrameCount(frames: row.integer(3)))
      last = (recording, track, pass)
    }
    return counts
  }

  public func gapPatterns(of recording: RecordingID?, cause: GapCause?) throws -> [GapPattern] {
    let (condition, arguments) = Self.condition(ofGaps: recording, cause)
    var patterns: [GapPattern] = []
    try StatementRow.forEach(
      """
      SELECT gap.cause, pass.inputs, count(*), total(gap.frames),
          max(pass.startTime + CAST(gap.start * 1000.0 / recording.sampleRate AS INTEGER))
        FROM gap JOIN pass ON pass.id = gap.pass JOIN recording ON recording.id = pass.recording
        \(condition) GROUP BY gap.cause, pass.inputs
      """, arguments, in: database
    ) { row in
      // The pass is read for its inputs alone.
      var pass = RecordedPass.blank
      guard let cause = GapCause(stored: row.value(0)),
        let inputs = RecordedPass.fields.first(where: { $0.name == "inputs" }), inputs.assign(&pass, row.value(1))
      else {
        throw BrokenRow(
          violation: RuleViolation(.recordingFacts, value: "the inputs \(row.value(1))"), table: RecordedPass.table,
          id: 0)
      }
      patterns.append(
        GapPattern(
          cause: cause, inputs: pass.inputs, count: Int(row.integer(2)), frames: FrameCount(frames: row.integer(3)),
          last: Timestamp(milliseconds: row.integer(4))))
    }
    return patterns.sorted(by: GapPattern.comesFirst)
  }
}

extension ProjectView {
  /// What was recorded.
  public var recordings: RecordedRows { RecordedRows(database: database, kept: memory.recordingIDs) }
}
