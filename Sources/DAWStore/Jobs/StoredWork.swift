import DAWModel
import GRDB

extension ProjectStore {
  /// Transcripts, summaries and jobs. A change waits for other writers of the file, as an edit does.
  public var work: StoredWork { StoredWork(store: self) }
}

/// Transcripts, summaries and jobs, in the project's file.
public struct StoredWork: WorkRepository {
  fileprivate let store: ProjectStore

  public func add(_ jobs: [Job]) throws -> [Job] {
    try write { try $0.add(jobs, store.identifiers) }
  }

  public func claim(_ claim: JobClaim) throws -> Job? {
    // Mostly there is none: a look first, which waits for no other writer.
    guard try read({ try $0.nextJob(claim) }) != nil else { return nil }
    return try write { tables in
      guard var job = try tables.work.nextJob(claim) else { return nil }
      job.begin(claim.owner, at: claim.now)
      try tables.save([job])
      return job
    }
  }

  public func change(
    _ id: JobID, of owner: OwnerProcess?, keeping result: JobResult?, summarizingBy summarizer: String?,
    _ body: (inout Job) -> Bool
  ) throws -> Job? {
    try write { tables in
      guard var job = try tables.work.job(id), owner == nil || job.owner == owner, body(&job) else { return nil }
      try tables.save([job])
      switch result {
      case .transcript(let transcript): try keep(transcript, tables)
      case .summary(let summary): try keep(summary, tables)
      case nil: break
      }
      try addSummary(after: job, by: summarizer, tables)
      return job
    }
  }

  public func releaseJobs(
    at now: Timestamp, summarizingBy summarizer: String?, ofOwners isGone: (OwnerProcess) -> Bool
  ) throws -> [Job] {
    func isLost(_ job: Job) -> Bool { job.owner.map(isGone) ?? false }
    guard try read({ try $0.processing() }).contains(where: isLost) else { return [] }
    return try write { tables in
      try tables.work.processing().filter(isLost).map { job in
        var job = job
        job.end(.failed(Job.lostWorker), at: now)
        try tables.save([job])
        try addSummary(after: job, by: summarizer, tables)
        return job
      }
    }
  }

  /// Puts the summary of a recording into the queue, if its last transcription has just ended and something was said.
  private func addSummary(after job: Job, by engine: String?, _ tables: FactTables) throws {
    guard let engine, job.kind == .transcribe, !job.state.isOpen, let pass = job.range?.pass else { return }
    let recordings = RecordedRows(database: tables.database)
    guard let id = try recordings.pass(pass)?.recording,
      let recording = try recordings.recording(id), recording.isCompleted, recording.trashedAt == nil
    else { return }
    let progress = try tables.work.transcriptionProgress(of: id)
    guard progress.isComplete, progress.hasText, try tables.work.openSummary(of: id) == nil else { return }
    var summary = Job.summary(of: id, by: engine, after: job)
    summary.id = JobID(rawValue: try newID("job", tables))
    try tables.save([summary])
  }

  public func keep(_ transcripts: [Transcript]) throws {
    try write { tables in for transcript in transcripts { try keep(transcript, tables) } }
  }

  public func restore(_ transcripts: [Transcript]) throws {
    try write { tables in
      for transcript in transcripts {
        guard try tables.work.transcript(transcript.id) == nil, try tables.work.current(of: transcript.range) == nil
        else { throw EditError.rule(Self.isThere(transcript)) }
        try tables.save([transcript])
      }
    }
  }

  private static func isThere(_ transcript: Transcript) -> RuleViolation {
    RuleViolation(.transcriptFacts, value: "the id or the range of another", subject: "the transcript \(transcript.id)")
  }

  private func keep(_ transcript: Transcript, _ tables: FactTables) throws {
    var transcript = transcript
    transcript.isCurrent = true
    if let current = try tables.work.current(of: transcript.range) {
      transcript.replace(current)
      var earlier = current
      earlier.id = TranscriptID(rawValue: try newID("transcript", tables))
      earlier.isCurrent = false
      // First the current one: of a range there is one.
      try tables.save([transcript, earlier])
    } else {
      transcript.id = TranscriptID(rawValue: try newID("transcript", tables))
      try tables.save([transcript])
    }
  }

  public func keep(_ summaries: [Summary]) throws {
    try write { tables in for summary in summaries { try keep(summary, tables) } }
  }

  private func keep(_ summary: Summary, _ tables: FactTables) throws {
    var summary = summary
    if let other = try tables.work.summaries(of: [summary.recording]).first { summary.replace(other) }
    try tables.save([summary])
  }

  @discardableResult
  public func removeSummaries(of recordings: [RecordingID], madeBefore time: Timestamp?) throws -> Int {
    try write { tables in
      let found = try tables.work.summaries(of: recordings).filter { summary in
        time.map { summary.createdAt < $0 } ?? true
      }
      for summary in found { try tables.run("DELETE FROM summary WHERE id = ?", [summary.recording.rawValue]) }
      return found.count
    }
  }

  @discardableResult
  public func remove(_ ids: [TranscriptID], madeBefore time: Timestamp?) throws -> Int {
    try write { tables in
      var count = 0
      for id in ids {
        guard let transcript = try tables.work.transcript(id, includesWords: false),
          time.map({ transcript.createdAt < $0 }) ?? true
        else { continue }
        count += 1
        let (condition, arguments) = WorkRows.place(transcript.range)
        if transcript.isCurrent {
          try tables.run("DELETE FROM transcript WHERE \(condition)", arguments)
        } else {
          try tables.run("DELETE FROM transcript WHERE id = ?", [id.rawValue])
        }
      }
      return count
    }
  }

  public func job(_ id: JobID) throws -> Job? { try read { try $0.job(id) } }
  public func jobIDs() throws -> [JobID] { try read { try $0.jobIDs() } }
  public func jobs(_ filter: JobFilter) throws -> (jobs: [Job], hasMore: Bool) { try read { try $0.jobs(filter) } }
  public func counts() throws -> JobCounts { try read { try $0.counts() } }
  public func transcriptionProgress(of recording: RecordingID) throws -> TranscriptionProgress {
    try read { try $0.transcriptionProgress(of: recording) }
  }
  public func summaries(of recordings: [RecordingID]?) throws -> [Summary] {
    try read { try $0.summaries(of: recordings) }
  }
  public func transcript(_ id: TranscriptID) throws -> Transcript? { try read { try $0.transcript(id) } }
  public func transcriptIDs() throws -> [TranscriptID] { try read { try $0.transcriptIDs() } }
  public func transcripts(_ filter: TranscriptFilter) throws -> (transcripts: [Transcript], hasMore: Bool) {
    try read { try $0.transcripts(filter) }
  }
  public func earlier(than transcript: Transcript) throws -> [Transcript] {
    try read { try $0.earlier(than: transcript) }
  }

  private func newID(_ table: String, _ tables: FactTables) throws -> Int64 {
    try tables.newID(table, store.identifiers)
  }

  private func read<T>(_ body: (WorkRows) throws -> T) throws -> T {
    try store.reading { try body(WorkRows(database: $0)) }
  }

  private func write<T>(_ body: (FactTables) throws -> T) throws -> T {
    try store.write { database in
      try store.requireSchema(database)
      let tables = FactTables(database: database)
      let value = try body(tables)
      try tables.countWrite()
      return (.commit, value)
    }
  }
}

extension FactTables {
  fileprivate var work: WorkRows { WorkRows(database: database) }

  fileprivate func newID(_ table: String, _ identifiers: IdentifierSource) throws -> Int64 {
    identifiers.first(above: try Int64.fetchOne(database, sql: "SELECT max(id) FROM \(table)") ?? 0)
  }

  /// Puts jobs that failed while their files were not in the project into the queue again, if the files have come back.
  /// - Parameter jobs: of `failedJobsOfAbsentFiles`, before the files could come back.
  func retryJobs(_ jobs: [Job], at now: Timestamp) throws {
    guard !jobs.isEmpty else { return }
    let absent = Set(try work.failedJobsOfAbsentFiles().map(\.id))
    let returned = jobs.compactMap { job in
      var job = job
      return !absent.contains(job.id) && job.retry(at: now) ? job : nil
    }
    guard !returned.isEmpty else { return }
    try save(returned)
    try countWrite()
  }

  /// As `WorkRepository.add`.
  fileprivate func add(_ jobs: [Job], _ identifiers: IdentifierSource) throws -> [Job] {
    var added: [Job] = []
    for var job in jobs {
      if job.kind == .transcribe, let range = job.range, let open = try work.openJob(of: range) {
        added.append(open)
        continue
      }
      if job.kind == .summarize, let recording = job.recording, let open = try work.openSummary(of: recording) {
        added.append(open)
        continue
      }
      job.id = JobID(rawValue: try newID("job", identifiers))
      try save([job])
      added.append(job)
    }
    return added
  }
}

extension ProjectTransaction {
  /// Puts jobs into the queue if the edit is made. They are no part of it: undo leaves them there, and
  /// redo puts those that failed meanwhile, for want of their file, there again.
  /// - SeeAlso: `WorkRepository.add`
  public func add(_ jobs: [Job]) throws -> [Job] {
    let tables = FactTables(database: database)
    let added = try tables.add(jobs, identifiers)
    try tables.countWrite()
    return added
  }
}
