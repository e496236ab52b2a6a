import DAWTime

/// Where transcripts, summaries and jobs are kept. A change is made as a whole or not at all, is no edit of the
/// project, and is on the disk when the call returns.
public protocol WorkRepository: Sendable {
  // MARK: Jobs

  /// Puts jobs into the queue, in this order. For a range that waits for its transcription or is being transcribed,
  /// none is added, and the one that is there is returned; likewise for a recording that is to be summarized.
  /// - Parameter jobs: without ids.
  /// - Returns: for each of `jobs` its row, in the same order.
  /// - Throws: `EditError.rule`.
  func add(_ jobs: [Job]) throws -> [Job]
  /// Takes the first job that is ready, and whose engine may be asked now.
  func claim(_ claim: JobClaim) throws -> Job?
  /// Changes a job, and keeps its result, in one transaction.
  /// - Parameters:
  ///   - owner: the change is made only if this process works on it; `nil`: in any case.
  ///   - summarizer: the engine that a job asks for a summary, where this was the last transcription of a recording in
  ///     which something was said; `nil`: none.
  /// - Returns: the job; `nil` if nothing was done.
  func change(
    _ id: JobID, of owner: OwnerProcess?, keeping result: JobResult?, summarizingBy summarizer: String?,
    _ body: (inout Job) -> Bool
  ) throws -> Job?
  /// Ends the attempts of processes that are not there any more: each counts as a failure.
  /// - Parameter summarizer: as of `change`.
  /// - Returns: the jobs.
  func releaseJobs(
    at now: Timestamp, summarizingBy summarizer: String?, ofOwners isGone: (OwnerProcess) -> Bool
  ) throws -> [Job]
  func job(_ id: JobID) throws -> Job?
  func jobIDs() throws -> [JobID]
  /// In order of the queue.
  func jobs(_ filter: JobFilter) throws -> (jobs: [Job], hasMore: Bool)
  func counts() throws -> JobCounts
  func transcriptionProgress(of recording: RecordingID) throws -> TranscriptionProgress

  // MARK: Transcripts

  /// Makes transcripts current; what they replace is kept with another id.
  /// - Parameter transcripts: without ids.
  func keep(_ transcripts: [Transcript]) throws
  /// Adds current transcripts as they were elsewhere, with their ids.
  /// - Throws: `EditError.rule` where one is refused, or has the id or the range of another.
  func restore(_ transcripts: [Transcript]) throws
  /// Removes transcripts, and of current ones what they replaced.
  /// - Parameter time: only those that were made before it; `nil`: all.
  /// - Returns: how many of `ids`.
  @discardableResult
  func remove(_ ids: [TranscriptID], madeBefore time: Timestamp?) throws -> Int
  func transcript(_ id: TranscriptID) throws -> Transcript?
  /// The ids of current transcripts, in any order.
  func transcriptIDs() throws -> [TranscriptID]
  /// Current transcripts, in order of medium and place.
  func transcripts(_ filter: TranscriptFilter) throws -> (transcripts: [Transcript], hasMore: Bool)
  /// What a transcript replaced, the latest first.
  func earlier(than transcript: Transcript) throws -> [Transcript]

  // MARK: Summaries

  /// Adds summaries, or replaces those of the same recordings.
  func keep(_ summaries: [Summary]) throws
  /// - Parameter time: only those that were made before it; `nil`: all.
  /// - Returns: how many.
  @discardableResult
  func removeSummaries(of recordings: [RecordingID], madeBefore time: Timestamp?) throws -> Int
  /// In order of recording.
  /// - Parameter recordings: `nil` for all.
  func summaries(of recordings: [RecordingID]?) throws -> [Summary]
}

extension WorkRepository {
  public func change(
    _ id: JobID, of owner: OwnerProcess?, keeping result: JobResult?, _ body: (inout Job) -> Bool
  ) throws -> Job? {
    try change(id, of: owner, keeping: result, summarizingBy: nil, body)
  }

  public func remove(_ ids: [TranscriptID]) throws { try remove(ids, madeBefore: nil) }

  public func removeSummaries(of recordings: [RecordingID]) throws {
    try removeSummaries(of: recordings, madeBefore: nil)
  }
}

/// The result of a job, to be kept.
public enum JobResult: Hashable, Sendable {
  case transcript(Transcript)
  case summary(Summary)
}

/// How far the transcription of a recording is.
public struct TranscriptionProgress: Hashable, Sendable {
  /// Segments that have sound.
  public var segments = 0
  /// Segments for which a transcription was asked for.
  public var asked = 0
  /// Segments that have a text, be it empty.
  public var completed = 0
  /// Segments of which every attempt has failed.
  public var failed = 0
  /// Whether something was said.
  public var hasText = false

  public init(segments: Int = 0, asked: Int = 0, completed: Int = 0, failed: Int = 0, hasText: Bool = false) {
    self.segments = segments
    self.asked = asked
    self.completed = completed
    self.failed = failed
    self.hasText = hasText
  }

  /// Whether nothing more will come of any segment.
  public var isComplete: Bool { segments > 0 && completed + failed == segments }
}

/// The conditions under which a worker takes a job.
public struct JobClaim: Sendable {
  public var now: Timestamp
  public var owner: OwnerProcess
  /// Engines that may not be asked by more jobs than this at once.
  public var atOnce: [String: Int]
  /// Engines that may not be asked more often than this in a minute.
  public var perMinute: [String: Int]

  public init(
    now: Timestamp, owner: OwnerProcess, atOnce: [String: Int] = [:], perMinute: [String: Int] = [:]
  ) {
    self.now = now
    self.owner = owner
    self.atOnce = atOnce
    self.perMinute = perMinute
  }
}

/// Which jobs to return: those to which all conditions apply.
public struct JobFilter: Hashable, Sendable {
  /// `nil`: all.
  public var states: Set<Job.State>?
  /// `nil`: all.
  public var ids: [JobID]?
  /// Only those about segments of these passes; `nil`: all.
  public var passes: Set<PassID>?
  /// Only those about these imported files; `nil`: all.
  public var files: Set<AudioFileID>?
  /// Only summaries of this recording; `nil`: all.
  public var recording: RecordingID?
  /// Only commands whose first word is this; `nil`: all.
  public var word: String?
  /// Only those that were made at or after this time.
  public var since: Timestamp?
  public var limit: Int
  public var offset: Int

  public init(
    states: Set<Job.State>? = nil, ids: [JobID]? = nil, passes: Set<PassID>? = nil, files: Set<AudioFileID>? = nil,
    recording: RecordingID? = nil, word: String? = nil, since: Timestamp? = nil, limit: Int = 50, offset: Int = 0
  ) {
    self.files = files
    self.recording = recording
    self.word = word
    self.since = since
    self.states = states
    self.ids = ids
    self.passes = passes
    self.limit = limit
    self.offset = offset
  }
}

/// How many jobs there are.
public struct JobCounts: Hashable, Sendable {
  /// States without jobs are not in it.
  public var byState: [Job.State: Int]
  /// How many of the waiting jobs wait for an engine that is offline.
  public var offline: Int

  public init(byState: [Job.State: Int], offline: Int) {
    self.byState = byState
    self.offline = offline
  }

  public subscript(state: Job.State) -> Int { byState[state] ?? 0 }
  /// What waits, or waits to be tried again.
  public var waiting: Int { self[.pending] + self[.retrying] }
}

/// Which transcripts to return: those to which all conditions apply.
public struct TranscriptFilter: Hashable, Sendable {
  /// 0 … 1. `nil`: all; else not those of which the confidence is unknown.
  public var confidenceBelow: Double?
  /// Only of these passes and files.
  public var media: Media?
  /// Whether the words are read; else each transcript's list of them is empty.
  public var includesWords: Bool
  public var limit: Int
  public var offset: Int

  /// Passes and imported files, together.
  public struct Media: Hashable, Sendable {
    public var passes: Set<PassID>
    public var files: Set<AudioFileID>

    public init(passes: Set<PassID> = [], files: Set<AudioFileID> = []) {
      self.passes = passes
      self.files = files
    }

    public func contains(_ medium: SoundRange.Medium) -> Bool {
      switch medium {
      case .segment(let pass, _): passes.contains(pass)
      case .file(let file): files.contains(file)
      }
    }
  }

  public init(
    confidenceBelow: Double? = nil, media: Media? = nil, includesWords: Bool = true, limit: Int = 50, offset: Int = 0
  ) {
    self.confidenceBelow = confidenceBelow
    self.media = media
    self.includesWords = includesWords
    self.limit = limit
    self.offset = offset
  }
}
