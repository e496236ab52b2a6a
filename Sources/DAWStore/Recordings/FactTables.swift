import DAWModel
import DAWTime
import GRDB

/// The SQL of a table of facts, made from its fields.
struct FactSQL: Sendable {
  let columns: String
  /// Up to `FROM`; columns are qualified by the table's name.
  let select: String
  /// Adds a row, or replaces the values of that with its key.
  let save: String

  fileprivate init<Fact: RecordedFact>(_ fact: Fact.Type) {
    let names = Fact.fields.map(\.name)
    columns = names.joined(separator: ", ")
    select = "SELECT \(names.map { "\(Fact.table).\($0)" }.joined(separator: ", ")) FROM"
    let others = names.filter { !Fact.key.contains($0) }.map { "\($0) = excluded.\($0)" }
    save = """
      INSERT INTO \(Fact.table) (\(columns)) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (\(Fact.key.joined(separator: ", "))) DO UPDATE SET \(others.joined(separator: ", "))
      """
  }
}

extension RecordedFact {
  static var sql: FactSQL { FactSQL(Self.self) }

  /// The rows of a query.
  /// - Parameters:
  ///   - source: the tables of the query, if there are several.
  ///   - rest: the query after its tables.
  /// - Throws: `BrokenRow`.
  static func fetch(
    from source: String? = nil, _ rest: String, _ arguments: StatementArguments = [], in database: Database
  ) throws -> [Self] {
    var rows: [Self] = []
    try StatementRow.forEach("\(sql.select) \(source ?? table) \(rest)", arguments, in: database) { columns in
      do throws(RuleViolation) {
        rows.append(try Self(columns))
      } catch {
        throw BrokenRow(violation: error, table: table, id: columns.integer(0))
      }
    }
    return rows
  }
}

/// The tables of facts. Valid only inside a transaction.
struct FactTables {
  let database: Database

  /// How often facts were written: it tells a write of facts from one of the model.
  func number() throws -> Int64 {
    try Int64.fetchOne(database.cachedStatement(sql: "SELECT number FROM factState")) ?? 0
  }

  func countWrite() throws { try run("UPDATE factState SET number = number + 1") }

  func save<Fact: RecordedFact>(_ facts: [Fact]) throws {
    let sql = Fact.sql.save
    for fact in facts {
      do throws(RuleViolation) { try fact.validate() } catch { throw EditError.rule(error) }
      try run(sql, StatementArguments(fact.storedValues.map(\.databaseValue)))
    }
  }

  func save(_ facts: RecordingFacts) throws {
    try requireOwn(facts)
    try save([facts.recording])
    try save(facts.passes)
    try save(facts.segments)
    try save(facts.gaps)
  }

  /// Removes the recording's passes, segments and gaps that `facts` has not.
  func removeOthers(than facts: RecordingFacts) throws {
    let id = facts.recording.id.rawValue
    let passes = Set(facts.passes.map(\.id.rawValue))
    for pass in try Int64.fetchAll(database, sql: "SELECT id FROM pass WHERE recording = ?", arguments: [id])
    where !passes.contains(pass) {
      try run("DELETE FROM pass WHERE id = ?", [pass])
    }
    try removeOthers(than: facts.segments.map { [$0.pass.rawValue, Int64($0.index)] }, RecordedSegment.self, of: id)
    try removeOthers(than: facts.gaps.map { [$0.pass.rawValue, $0.start.frames] }, RecordedGap.self, of: id)
  }

  private func removeOthers<Fact: RecordedFact>(than keys: [[Int64]], _ fact: Fact.Type, of recording: Int64) throws {
    let kept = Set(keys)
    let columns = Fact.key.map { "\(Fact.table).\($0)" }.joined(separator: ", ")
    let present = try Row.fetchAll(
      database,
      sql: "SELECT \(columns) FROM \(Fact.table) JOIN pass ON pass.id = \(Fact.table).pass WHERE pass.recording = ?",
      arguments: [recording])
    let condition = Fact.key.map { "\($0) = ?" }.joined(separator: " AND ")
    for row in present {
      let key: [Int64] = [row[0], row[1]]
      if !kept.contains(key) { try run("DELETE FROM \(Fact.table) WHERE \(condition)", StatementArguments(key)) }
    }
  }

  /// Passes stay with their recording, segments and gaps belong to its passes.
  private func requireOwn(_ facts: RecordingFacts) throws {
    let id = facts.recording.id
    let others = try passes(facts.passes.map(\.id)).filter { $0.recording != id }
    let ids = Set(facts.passes.map(\.id)).union(try passes(of: [id]).map(\.id))
    guard others.isEmpty, facts.passes.allSatisfy({ $0.recording == id }),
      facts.segments.allSatisfy({ ids.contains($0.pass) }), facts.gaps.allSatisfy({ ids.contains($0.pass) })
    else {
      throw EditError.rule(RuleViolation(.recordingFacts, value: "a row of another recording"))
    }
  }

  func run(_ sql: String, _ arguments: StatementArguments = []) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  // MARK: Reading

  func recording(_ id: RecordingID) throws -> Recording? {
    try Recording.fetch("WHERE id = ?", [id.rawValue], in: database).first
  }

  func completedRecordings() throws -> [RecordingID] {
    try Int64.fetchAll(database, sql: "SELECT id FROM recording WHERE isCompleted = 1 ORDER BY id")
      .map(RecordingID.init(rawValue:))
  }

  /// `nil` if there is no such recording.
  func facts(of id: RecordingID) throws -> RecordingFacts? {
    guard let recording = try recording(id) else { return nil }
    return RecordingFacts(
      recording, passes: try passes(of: [id]), segments: try segments(of: id), gaps: try gaps(of: id, cause: nil))
  }

  func passes(of recordings: [RecordingID]) throws -> [RecordedPass] {
    try RecordedPass.fetch(
      from: "\(Self.list(recordings.map(\.rawValue))) JOIN pass ON pass.recording = list.value",
      "ORDER BY recording, track, number", in: database)
  }

  func passes(_ ids: [PassID]) throws -> [RecordedPass] {
    try RecordedPass.fetch(
      from: "\(Self.list(ids.map(\.rawValue))) JOIN pass ON pass.id = list.value", "ORDER BY recording, track, number",
      in: database)
  }

  /// A table of distinct numbers, with the column `value`.
  private static func list(_ numbers: [Int64]) -> String {
    "(SELECT DISTINCT value FROM json_each('[\(numbers.map(String.init).joined(separator: ","))]')) AS list"
  }

  func segments(of recording: RecordingID) throws -> [RecordedSegment] {
    try RecordedSegment.fetch(
      from: "pass JOIN segment ON segment.pass = pass.id", "WHERE pass.recording = ? ORDER BY pass, segmentIndex",
      [recording.rawValue], in: database)
  }

  func gaps(of recording: RecordingID?, cause: RecordedGap.Cause?) throws -> [RecordedGap] {
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
    let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    return try RecordedGap.fetch(
      from: recording == nil ? "gap" : "pass JOIN gap ON gap.pass = pass.id", "\(condition) ORDER BY gap.pass, start",
      arguments, in: database)
  }

  func summaries(_ filter: RecordingFilter) throws -> RecordingPage {
    var conditions: [String] = []
    var arguments: StatementArguments = []
    if filter.isRunning { conditions.append("isCompleted = 0") }
    if let since = filter.since {
      conditions.append("createdAt >= ?")
      arguments += [since.milliseconds]
    }
    let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
    let (limit, offset) = (max(0, filter.limit), max(0, filter.offset))
    arguments += [limit < .max ? limit + 1 : limit, offset]
    var recordings = try Recording.fetch(
      "\(condition) ORDER BY createdAt DESC, id DESC LIMIT ? OFFSET ?", arguments, in: database)
    let hasMore = recordings.count > limit
    if hasMore { recordings.removeLast() }
    var counts: [Int64: (passes: Int64, tracks: Int64, gaps: Int64, frames: Int64)] = [:]
    try StatementRow.forEach(
      """
      SELECT pass.recording, count(DISTINCT pass.id), count(DISTINCT pass.track), count(gap.id), total(gap.frames)
        FROM \(Self.list(recordings.map(\.id.rawValue))) JOIN pass ON pass.recording = list.value
        LEFT JOIN gap ON gap.pass = pass.id GROUP BY pass.recording
      """, in: database
    ) { row in
      counts[row.integer(0)] = (row.integer(1), row.integer(2), row.integer(3), row.integer(4))
    }
    return RecordingPage(
      summaries: recordings.map { recording in
        let count = counts[recording.id.rawValue] ?? (0, 0, 0, 0)
        return RecordingSummary(
          recording, passCount: Int(count.passes), trackCount: Int(count.tracks), gapCount: Int(count.gaps),
          lostFrames: FrameCount(frames: count.frames))
      }, hasMore: hasMore)
  }

  func gapPatterns(cause: RecordedGap.Cause?) throws -> [GapPattern] {
    var patterns: [GapPattern] = []
    try StatementRow.forEach(
      """
      SELECT gap.cause, pass.inputs, count(*), total(gap.frames),
          max(pass.startTime + CAST(gap.start * 1000.0 / recording.sampleRate AS INTEGER))
        FROM gap JOIN pass ON pass.id = gap.pass JOIN recording ON recording.id = pass.recording
        \(cause == nil ? "" : "WHERE gap.cause = ?") GROUP BY gap.cause, pass.inputs
      """, cause.map { [$0.rawValue] } ?? [], in: database
    ) { row in
      // The pass is read for its inputs alone.
      var pass = RecordedPass.blank
      guard let cause = RecordedGap.Cause(stored: row.value(0)),
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
