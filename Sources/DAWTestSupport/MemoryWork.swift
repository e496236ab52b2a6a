import DAWModel
import DAWTime
import Synchronization

/// Transcripts, summaries and jobs in memory: a second, simple implementation for comparison with the store.
public final class MemoryWork: WorkRepository {
  private struct Rows {
    var jobs: [JobID: Job] = [:]
    var transcripts: [TranscriptID: Transcript] = [:]
    var summaries: [RecordingID: Summary] = [:]
    var lastID: Int64 = 0
    /// What recordings have: a transcript or a job of another segment is refused.
    var segments: Set<SoundRange.Medium>
    /// The recordings of passes; all are complete.
    var recordings: [PassID: RecordingID]

    mutating func newID() -> Int64 {
      lastID += 1
      return lastID
    }

    func requireMedium(_ range: SoundRange?) throws {
      guard let range, range.pass != nil, !segments.contains(range.medium) else { return }
      throw EditError.rule(RuleViolation(.referenceExists, value: "no such segment"))
    }

    func requireRecording(_ recording: RecordingID?) throws {
      guard let recording, !recordings.values.contains(recording) else { return }
      throw EditError.rule(RuleViolation(.referenceExists, value: "no such recording"))
    }

    func openSummary(of recording: RecordingID) -> Job? {
      jobs.values.first { $0.recording == recording && $0.state.isOpen }
    }

    func progress(of recording: RecordingID) -> TranscriptionProgress {
      var progress = TranscriptionProgress()
      for medium in segments {
        guard case .segment(let pass, _) = medium, recordings[pass] == recording else { continue }
        let current = transcripts.values.first { $0.isCurrent && $0.range.medium == medium }
        let last = jobs.values.filter { $0.kind == .transcribe && $0.range?.medium == medium }.max { $0.id < $1.id }
        let state = last?.state ?? current.map { _ in .completed }
        progress.segments += 1
        if state != nil { progress.asked += 1 }
        if state == .completed { progress.completed += 1 }
        if state == .failed { progress.failed += 1 }
        if current?.text.isEmpty == false { progress.hasText = true }
      }
      return progress
    }

    mutating func addSummary(after job: Job, by engine: String?) {
      guard let engine, job.kind == .transcribe, !job.state.isOpen,
        let recording = job.range?.pass.flatMap({ recordings[$0] })
      else { return }
      let progress = progress(of: recording)
      guard progress.isComplete, progress.hasText, openSummary(of: recording) == nil else { return }
      let id = JobID(rawValue: newID())
      var summary = Job.summary(of: recording, by: engine, after: job)
      summary.id = id
      jobs[id] = summary
    }

    mutating func keep(_ summary: Summary) throws {
      var summary = summary
      if let other = summaries[summary.recording] { summary.replace(other) }
      try validated { () throws(RuleViolation) in try summary.validate() }
      try requireRecording(summary.recording)
      summaries[summary.recording] = summary
    }

    mutating func keep(_ transcript: Transcript) throws {
      var transcript = transcript
      transcript.isCurrent = true
      if var old = transcripts.values.first(where: { $0.isCurrent && $0.range.isSamePlace(as: transcript.range) }) {
        transcript.replace(old)
        old.id = TranscriptID(rawValue: newID())
        old.isCurrent = false
        transcripts[old.id] = old
      } else {
        transcript.id = TranscriptID(rawValue: newID())
      }
      try validated { () throws(RuleViolation) in try transcript.validate() }
      try requireMedium(transcript.range)
      transcripts[transcript.id] = transcript
    }
  }

  private let rows: Mutex<Rows>

  public init(segments: Set<SoundRange.Medium> = [], recordings: [PassID: RecordingID] = [:]) {
    rows = Mutex(Rows(segments: segments, recordings: recordings))
  }

  /// Runs `body` on a copy, which takes the place of the rows unless it throws.
  private func write<T>(_ body: (inout Rows) throws -> T) throws -> T where T: Sendable {
    try rows.withLock { rows in
      var copy = rows
      let value = try body(&copy)
      rows = copy
      return value
    }
  }

  public func add(_ jobs: [Job]) throws -> [Job] {
    try write { rows in
      try jobs.map { job in
        if job.kind == .transcribe, let range = job.range,
          let open = rows.jobs.values.first(where: {
            $0.kind == .transcribe && $0.state.isOpen && $0.range?.isSamePlace(as: range) == true
          })
        {
          return open
        }
        if job.kind == .summarize, let open = job.recording.flatMap({ rows.openSummary(of: $0) }) { return open }
        var job = job
        job.id = JobID(rawValue: rows.newID())
        try validated { () throws(RuleViolation) in try job.validate() }
        try rows.requireMedium(job.range)
        try rows.requireRecording(job.recording)
        rows.jobs[job.id] = job
        return job
      }
    }
  }

  public func claim(_ claim: JobClaim) throws -> Job? {
    try write { rows in
      func isBusy(_ engine: String) -> Bool {
        let of = rows.jobs.values.filter { $0.engine == engine }
        let now = of.count { $0.state == .processing }
        let minute = claim.now.milliseconds - 59_999...claim.now.milliseconds + Job.longestPause
        let recent = of.count { $0.startedAt.map { minute.contains($0.milliseconds) } ?? false }
        return now >= claim.atOnce[engine] ?? .max || recent >= claim.perMinute[engine] ?? .max
      }
      let ready = rows.jobs.values.filter { $0.isReady(at: claim.now) && !($0.engine.map(isBusy) ?? false) }
      guard var job = ready.min(by: { $0.id < $1.id }) else { return nil }
      job.begin(claim.owner, at: claim.now)
      rows.jobs[job.id] = job
      return job
    }
  }

  public func change(
    _ id: JobID, of owner: OwnerProcess?, keeping result: JobResult?, summarizingBy summarizer: String?,
    _ body: (inout Job) -> Bool
  ) throws -> Job? {
    try write { rows in
      guard var job = rows.jobs[id], owner == nil || job.owner == owner, body(&job) else { return nil }
      try validated { () throws(RuleViolation) in try job.validate() }
      rows.jobs[id] = job
      switch result {
      case .transcript(let transcript): try rows.keep(transcript)
      case .summary(let summary): try rows.keep(summary)
      case nil: break
      }
      rows.addSummary(after: job, by: summarizer)
      return job
    }
  }

  public func releaseJobs(
    at now: Timestamp, summarizingBy summarizer: String?, ofOwners isGone: (OwnerProcess) -> Bool
  ) throws -> [Job] {
    try write { rows in
      rows.jobs.values.filter { $0.owner.map(isGone) ?? false }.sorted { $0.id < $1.id }.map { job in
        var job = job
        job.end(.failed(Job.lostWorker), at: now)
        rows.jobs[job.id] = job
        rows.addSummary(after: job, by: summarizer)
        return job
      }
    }
  }

  public func transcriptionProgress(of recording: RecordingID) -> TranscriptionProgress {
    rows.withLock { $0.progress(of: recording) }
  }

  public func keep(_ summaries: [Summary]) throws {
    try write { rows in for summary in summaries { try rows.keep(summary) } }
  }

  @discardableResult
  public func removeSummaries(of recordings: [RecordingID], madeBefore time: Timestamp?) -> Int {
    rows.withLock { rows in
      var count = 0
      for recording in recordings {
        guard let summary = rows.summaries[recording], time.map({ summary.createdAt < $0 }) ?? true else { continue }
        rows.summaries[recording] = nil
        count += 1
      }
      return count
    }
  }

  public func summaries(of recordings: [RecordingID]?) -> [Summary] {
    rows.withLock { Array($0.summaries.values) }.filter { recordings?.contains($0.recording) ?? true }
      .sorted { $0.recording < $1.recording }
  }

  public func job(_ id: JobID) -> Job? { rows.withLock { $0.jobs[id] } }
  public func jobIDs() -> [JobID] { rows.withLock { $0.jobs.keys.sorted() } }

  public func jobs(_ filter: JobFilter) -> (jobs: [Job], hasMore: Bool) {
    let found = rows.withLock { Array($0.jobs.values) }.filter { job in
      filter.states?.contains(job.state) ?? true && filter.ids?.contains(job.id) ?? true
        && filter.word.map { job.command.first == $0 } ?? true && filter.since.map { job.createdAt >= $0 } ?? true
        && filter.passes.map { passes in job.range?.pass.map(passes.contains) ?? false } ?? true
        && filter.files.map { files in job.range?.audioFile.map(files.contains) ?? false } ?? true
        && filter.recording.map { job.recording == $0 } ?? true
    }.sorted { $0.id < $1.id }.dropFirst(filter.offset)
    return (Array(found.prefix(filter.limit)), found.count > filter.limit)
  }

  public func counts() -> JobCounts {
    let jobs = rows.withLock { Array($0.jobs.values) }
    return JobCounts(
      byState: Dictionary(grouping: jobs, by: \.state).mapValues(\.count),
      offline: jobs.count { $0.isOffline && $0.state == .pending })
  }

  public func keep(_ transcripts: [Transcript]) throws {
    try write { rows in for transcript in transcripts { try rows.keep(transcript) } }
  }

  public func restore(_ transcripts: [Transcript]) throws {
    try write { rows in
      for transcript in transcripts {
        try validated { () throws(RuleViolation) in try transcript.validate() }
        try rows.requireMedium(transcript.range)
        let isThere = rows.transcripts.values.contains {
          $0.id == transcript.id || $0.isCurrent && $0.range.isSamePlace(as: transcript.range)
        }
        guard !isThere else { throw EditError.rule(RuleViolation(.transcriptFacts, value: "there is one")) }
        rows.transcripts[transcript.id] = transcript
        rows.lastID = max(rows.lastID, transcript.id.rawValue)
      }
    }
  }

  @discardableResult
  public func remove(_ ids: [TranscriptID], madeBefore time: Timestamp?) throws -> Int {
    try write { rows in
      var count = 0
      for id in ids {
        guard let transcript = rows.transcripts[id], time.map({ transcript.createdAt < $0 }) ?? true else { continue }
        rows.transcripts[id] = nil
        count += 1
        guard transcript.isCurrent else { continue }
        rows.transcripts = rows.transcripts.filter { !$0.value.range.isSamePlace(as: transcript.range) }
      }
      return count
    }
  }

  public func transcript(_ id: TranscriptID) -> Transcript? { rows.withLock { $0.transcripts[id] } }
  public func transcriptIDs() -> [TranscriptID] {
    rows.withLock { rows in rows.transcripts.values.filter(\.isCurrent).map(\.id).sorted() }
  }

  public func transcripts(_ filter: TranscriptFilter) -> (transcripts: [Transcript], hasMore: Bool) {
    func place(_ transcript: Transcript) -> [Int64] {
      switch transcript.range.medium {
      case .segment(let pass, let index): [0, pass.rawValue, Int64(index)]
      case .file(let file): [1, file.rawValue, transcript.range.start.frames]
      }
    }
    let found = rows.withLock { Array($0.transcripts.values) }.filter { transcript in
      transcript.isCurrent && filter.media?.contains(transcript.range.medium) ?? true
        && filter.confidenceBelow.map { limit in transcript.confidence.map { $0 < limit } ?? false } ?? true
    }.sorted { place($0).lexicographicallyPrecedes(place($1)) }.dropFirst(filter.offset)
    let page = found.prefix(filter.limit).map { transcript in
      var transcript = transcript
      if !filter.includesWords { transcript.words = [] }
      return transcript
    }
    return (page, found.count > filter.limit)
  }

  public func earlier(than transcript: Transcript) -> [Transcript] {
    rows.withLock { Array($0.transcripts.values) }
      .filter { !$0.isCurrent && $0.range.isSamePlace(as: transcript.range) }
      .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
  }
}

private func validated(_ body: () throws(RuleViolation) -> Void) throws {
  do throws(RuleViolation) { try body() } catch { throw EditError.rule(error) }
}
