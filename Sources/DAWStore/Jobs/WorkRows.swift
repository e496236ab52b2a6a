import DAWModel
import GRDB

/// The tables of transcripts, summaries and jobs, for reading. Valid as long as the view that they are read through.
/// - SeeAlso: `WorkRepository`
public struct WorkRows {
  let database: Database

  // MARK: Jobs

  public func job(_ id: JobID) throws -> Job? { try Job.fetch("WHERE id = ?", [id.rawValue], in: database).first }

  public func jobIDs() throws -> [JobID] {
    try Int64.fetchAll(database, sql: "SELECT id FROM job ORDER BY id").map(JobID.init(rawValue:))
  }

  public func jobs(_ filter: JobFilter) throws -> (jobs: [Job], hasMore: Bool) {
    var conditions: [String] = []
    if let states = filter.states {
      // With passes or files, of which there may be few, their index is used instead of that of the state.
      let column = filter.passes == nil && filter.files == nil ? "state" : "+state"
      conditions.append("\(column) IN (\(states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")))")
    }
    var arguments: StatementArguments = []
    if let ids = filter.ids { conditions.append(Self.condition("id", ids.map(\.rawValue), &arguments)) }
    if let passes = filter.passes { conditions.append(Self.condition("pass", passes.map(\.rawValue), &arguments)) }
    if let files = filter.files { conditions.append(Self.condition("audioFile", files.map(\.rawValue), &arguments)) }
    if let recording = filter.recording {
      conditions.append("recording = ?")
      arguments += [recording.rawValue]
    }
    if let word = filter.word {
      conditions.append("kind = 'command' AND json_extract(command, '$[0]') = ?")
      arguments += [word]
    }
    if let since = filter.since {
      conditions.append("createdAt >= ?")
      arguments += [since.milliseconds]
    }
    let found = try page(Job.self, conditions, arguments, "id", filter.limit, filter.offset)
    return (found.rows, found.hasMore)
  }

  public func counts() throws -> JobCounts {
    var counts = JobCounts(byState: [:], offline: 0)
    try StatementRow.forEach(
      "SELECT state, count(*), total(isOffline AND state = 'pending') FROM job GROUP BY state", in: database
    ) { row in
      guard let state = Job.State(stored: row.value(0)) else { return }
      counts.byState[state] = Int(row.integer(1))
      counts.offline += Int(row.integer(2))
    }
    return counts
  }

  /// The first job that is ready, as `Job.isReady` has it.
  func nextJob(_ claim: JobClaim) throws -> Job? {
    var busy: Set<String> = []
    for (engine, limit) in claim.atOnce {
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM job WHERE state = 'processing' AND engine = ?", arguments: [engine])
      if (count ?? 0) >= limit { busy.insert(engine) }
    }
    for (engine, limit) in claim.perMinute {
      let count = try Int.fetchOne(
        database, sql: "SELECT count(*) FROM job WHERE engine = ? AND startedAt > ? AND startedAt <= ?",
        arguments: [engine, claim.now.milliseconds - 60_000, claim.now.milliseconds + Job.longestPause])
      if (count ?? 0) >= limit { busy.insert(engine) }
    }
    return try Job.fetch(
      """
      WHERE state IN ('pending', 'retrying') AND (nextAttempt <= ? OR nextAttempt > ?)
        AND (engine IS NULL OR engine NOT IN (SELECT value FROM json_each(?))) ORDER BY id LIMIT 1
      """,
      [
        claim.now.milliseconds, claim.now.milliseconds + Job.longestPause,
        "[\(busy.sorted().map { "\"\($0)\"" }.joined(separator: ","))]",
      ], in: database
    ).first
  }

  func processing() throws -> [Job] { try Job.fetch("WHERE state = 'processing' ORDER BY id", in: database) }

  /// Those that failed, of audio files that are not in the project.
  func failedJobsOfAbsentFiles() throws -> [Job] {
    try Job.fetch(
      "WHERE state = 'failed' AND audioFile NOT IN (SELECT id FROM audioFile) ORDER BY id", in: database)
  }

  /// The job that transcribes a range, or will.
  func openJob(of range: SoundRange) throws -> Job? {
    let (condition, arguments) = Self.place(range)
    return try Job.fetch(
      "WHERE \(condition) AND kind = 'transcribe' AND state IN ('pending', 'processing', 'retrying') LIMIT 1",
      arguments, in: database
    ).first
  }

  /// The job that summarizes a recording, or will.
  func openSummary(of recording: RecordingID) throws -> Job? {
    try Job.fetch(
      "WHERE recording = ? AND state IN ('pending', 'processing', 'retrying') LIMIT 1", [recording.rawValue],
      in: database
    ).first
  }

  /// A segment's state is that of the job that was last asked to transcribe it.
  public func transcriptionProgress(of recording: RecordingID) throws -> TranscriptionProgress {
    var progress = TranscriptionProgress()
    try StatementRow.forEach(
      """
      SELECT count(*), count(state), sum(state IS 'completed'), sum(state IS 'failed'), count(nullif(text, ''))
      FROM (
        SELECT transcript.text AS text, coalesce(
          (SELECT job.state FROM job WHERE job.pass = segment.pass AND job.segmentIndex = segment.segmentIndex
            AND job.kind = 'transcribe' ORDER BY job.id DESC LIMIT 1),
          CASE WHEN transcript.id IS NOT NULL THEN 'completed' END) AS state
        FROM pass JOIN segment ON segment.pass = pass.id
          LEFT JOIN transcript ON transcript.pass = segment.pass AND transcript.segmentIndex = segment.segmentIndex
            AND transcript.isCurrent = 1
        WHERE pass.recording = ? AND pass.channelCount > 0 AND segment.frames > 0
          AND segment.state IN ('sealed', 'recovered'))
      """, [recording.rawValue], in: database
    ) { row in
      progress = TranscriptionProgress(
        segments: Int(row.integer(0)), asked: Int(row.integer(1)), completed: Int(row.integer(2)),
        failed: Int(row.integer(3)), hasText: row.integer(4) > 0)
    }
    return progress
  }

  // MARK: Summaries

  /// - Parameter recordings: `nil` for all.
  public func summaries(of recordings: [RecordingID]? = nil) throws -> [Summary] {
    var arguments: StatementArguments = []
    let condition = recordings.map { Self.condition("id", $0.map(\.rawValue), &arguments) }
    return try Summary.fetch("\(condition.map { "WHERE " + $0 } ?? "") ORDER BY id", arguments, in: database)
  }

  // MARK: Transcripts

  /// - Parameter includesWords: else its words are empty.
  public func transcript(_ id: TranscriptID, includesWords: Bool = true) throws -> Transcript? {
    try Transcript.fetch("WHERE id = ?", [id.rawValue], without: includesWords ? nil : "words", in: database).first
  }

  /// A transcript's words as they are stored, for `Transcript.lastWord`.
  package func storedWords(of id: TranscriptID) throws -> String? {
    var words: String?
    try StatementRow.forEach("SELECT words FROM transcript WHERE id = ?", [id.rawValue], in: database) {
      words = String(stored: $0.value(0))
    }
    return words
  }

  public func transcriptIDs() throws -> [TranscriptID] {
    try Int64.fetchAll(database, sql: "SELECT id FROM transcript WHERE isCurrent = 1")
      .map(TranscriptID.init(rawValue:))
  }

  public func transcripts(_ filter: TranscriptFilter) throws -> (transcripts: [Transcript], hasMore: Bool) {
    var conditions = ["isCurrent = 1"]
    var arguments: StatementArguments = []
    if let confidence = filter.confidenceBelow {
      conditions.append("confidence < ?")
      arguments += [confidence]
    }
    if let media = filter.media {
      let ofPasses = Self.condition("pass", media.passes.map(\.rawValue), &arguments)
      let ofFiles = Self.condition("audioFile", media.files.map(\.rawValue), &arguments)
      conditions.append("(\(ofPasses) OR \(ofFiles))")
    }
    // Those of segments, then those of files: each lies in an index in this order.
    func page(_ medium: String, _ order: String, _ limit: Int, _ offset: Int) throws -> [Transcript] {
      try Transcript.fetch(
        "WHERE \((conditions + ["\(medium) IS NOT NULL"]).joined(separator: " AND ")) ORDER BY \(order) LIMIT ? OFFSET ?",
        arguments + [limit, offset], without: filter.includesWords ? nil : "words", in: database)
    }
    let (limit, offset) = (max(0, filter.limit), max(0, filter.offset))
    let wanted = limit < .max ? limit + 1 : limit
    var found = try page("pass", "pass, segmentIndex", wanted, offset)
    if found.count < wanted {
      let ofSegments = (conditions + ["pass IS NOT NULL"]).joined(separator: " AND ")
      let passed =
        offset == 0 || !found.isEmpty
        ? offset
        : min(
          offset,
          try Int.fetchOne(database, sql: "SELECT count(*) FROM transcript WHERE \(ofSegments)", arguments: arguments)
            ?? 0)
      found += try page("audioFile", "audioFile, startFrame", wanted - found.count, offset - passed)
    }
    let hasMore = found.count > limit
    if hasMore { found.removeLast() }
    return (found, hasMore)
  }

  public func earlier(than transcript: Transcript) throws -> [Transcript] {
    let (condition, arguments) = Self.place(transcript.range)
    return try Transcript.fetch(
      "WHERE \(condition) AND isCurrent = 0 ORDER BY createdAt DESC, id DESC", arguments, in: database)
  }

  func current(of range: SoundRange) throws -> Transcript? {
    let (condition, arguments) = Self.place(range)
    return try Transcript.fetch("WHERE \(condition) AND isCurrent = 1", arguments, in: database).first
  }

  static func place(_ range: SoundRange) -> (condition: String, arguments: StatementArguments) {
    switch range.medium {
    case .segment(let pass, let index): ("pass = ? AND segmentIndex = ?", [pass.rawValue, index])
    case .file(let file): ("audioFile = ? AND startFrame = ?", [file.rawValue, range.start.frames])
    }
  }

  /// The condition that a column is one of some numbers. They are one argument, a JSON list: there may be more of them
  /// than a statement has parameters, and its text has a limit (`ConnectionLimits`).
  private static func condition(
    _ column: String, _ numbers: [Int64], _ arguments: inout StatementArguments
  ) -> String {
    arguments += ["[\(numbers.sorted().map(String.init).joined(separator: ","))]"]
    return "\(column) IN (SELECT value FROM json_each(?))"
  }

  private func page<Fact: RecordedFact>(
    _ fact: Fact.Type, _ conditions: [String], _ arguments: StatementArguments, _ order: String, _ limit: Int,
    _ offset: Int
  ) throws -> (rows: [Fact], hasMore: Bool) {
    let (limit, offset) = (max(0, limit), max(0, offset))
    var rows = try Fact.fetch(
      """
      \(conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))")
        ORDER BY \(order) LIMIT ? OFFSET ?
      """, arguments + [limit < .max ? limit + 1 : limit, offset], in: database)
    let hasMore = rows.count > limit
    if hasMore { rows.removeLast() }
    return (rows, hasMore)
  }
}

extension ProjectView {
  /// Transcripts, summaries and jobs.
  public var work: WorkRows { WorkRows(database: database) }
}
