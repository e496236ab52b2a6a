import DAWTime

public typealias JobID = Identifier<Job>

/// Work that is done later, by `daw work`.
public struct Job: Hashable, Sendable, Identifiable, IdentifiedKind {
  public var id: JobID
  public var kind: Kind
  /// What is transcribed.
  public var range: SoundRange?
  /// What is summarized.
  public var recording: RecordingID?
  public var state: State
  /// 0 … 1
  public var progress: Double
  /// How often it failed, since it was last put into the queue by the user.
  public var retryCount: Int
  /// The message of the last failure. It is kept when a later attempt succeeds.
  public var lastError: String?
  /// Whether it waits because its engine could not be reached, or is not there.
  public var isOffline: Bool
  /// The engine of a transcription or a summary.
  public var engine: String?
  /// The engine that is asked when the other has failed for good.
  public var fallback: String?
  public var language: String
  /// When it may be taken; of no meaning once it has ended.
  public var nextAttempt: Timestamp
  /// When it was last taken.
  public var startedAt: Timestamp?
  public var endedAt: Timestamp?
  /// The process that works on it.
  public var owner: OwnerProcess?
  public var createdAt: Timestamp
  /// The words of a command, without `daw`.
  public var command: [String]
  /// The folder that a command was typed in.
  public var folder: String?
  /// A code that only the user who queued it could compute. A worker does no job without it.
  public var seal: String?

  /// What is to be done.
  public enum Kind: String, CaseIterable, Sendable, Codable, WrappedValue {
    case transcribe, summarize, command
  }

  /// How far it is. `retrying`: it has failed, and waits to be tried again; `failed`: it is given up.
  public enum State: String, CaseIterable, Sendable, Codable, WrappedValue {
    case pending, processing, completed, retrying, failed, cancelled

    /// Whether there is something to be done yet.
    public var isOpen: Bool { self == .pending || self == .processing || self == .retrying }
  }

  public init(
    id: JobID = JobID(rawValue: 0), kind: Kind, range: SoundRange? = nil, recording: RecordingID? = nil,
    state: State = .pending, engine: String? = nil, fallback: String? = nil, language: String = "en",
    command: [String] = [], folder: String? = nil, createdAt: Timestamp
  ) {
    self.id = id
    self.kind = kind
    self.range = range
    self.recording = recording
    self.state = state
    progress = 0
    retryCount = 0
    isOffline = false
    self.engine = engine
    self.fallback = fallback
    self.language = language
    nextAttempt = createdAt
    self.createdAt = createdAt
    self.command = command
    self.folder = folder
  }

  public static let identifierKind: UInt8 = 25
  public static let noun = "job"
  /// In bytes.
  public static let maximumErrorLength = 2_000

  /// The name of a file without its ending: letters, digits, `-`, `_` and `.`, the first no `.`.
  public static func isEngineName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && name.first != "."
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || "-_.".unicodeScalars.contains($0))
      }
  }
}

// MARK: States

/// How an attempt ended.
public enum JobOutcome: Hashable, Sendable {
  case completed
  /// It may succeed when it is tried again.
  case failed(String)
  /// It would fail again: what it was given is not accepted.
  case refused(String)
  /// What does it is not there, or cannot be reached.
  case offline(String)
  /// The worker was asked to end.
  case givenBack
}

extension Job {
  static let maximumRetryCount = 5
  /// The error of a job whose process was killed.
  public static let lostWorker = "The process that worked on it ended."
  /// Milliseconds between attempts while an engine is offline.
  static let offlinePause: Int64 = 30_000
  /// Milliseconds; no pause is longer. What is dated further ahead was dated before the clock was set back.
  public static let longestPause: Int64 = 60_000

  /// Whether it may be taken now.
  public func isReady(at now: Timestamp) -> Bool {
    (state == .pending || state == .retrying)
      && (nextAttempt <= now || nextAttempt > now.later(by: Self.longestPause))
  }

  /// Takes it for a process.
  public mutating func begin(_ owner: OwnerProcess, at now: Timestamp) {
    state = .processing
    progress = 0
    isOffline = false
    startedAt = now
    endedAt = nil
    self.owner = owner
  }

  /// Ends an attempt. After the n-th failure it waits 2^(n−1) seconds; after the fifth the fallback engine has one
  /// attempt.
  public mutating func end(_ outcome: JobOutcome, at now: Timestamp) {
    owner = nil
    switch outcome {
    case .completed:
      state = .completed
      progress = 1
      endedAt = now
    case .givenBack:
      state = .pending
      nextAttempt = now
    case .refused(let reason):
      fail(reason, at: now)
    case .offline(let reason):
      lastError = Self.shortened(reason)
      state = .pending
      if takeFallback() {
        nextAttempt = now
      } else {
        isOffline = true
        nextAttempt = now.later(by: Self.offlinePause)
      }
    case .failed(let reason):
      // A row of another program may have any number.
      retryCount = retryCount == .max ? .max : retryCount + 1
      let isLast = retryCount >= Self.maximumRetryCount
      guard !isLast || retryCount == Self.maximumRetryCount && takeFallback() else { return fail(reason, at: now) }
      lastError = Self.shortened(reason)
      state = .retrying
      nextAttempt = now.later(by: isLast ? 0 : 1_000 << Int64(retryCount - 1))
    }
  }

  /// - Returns: whether it was open.
  public mutating func cancel(at now: Timestamp) -> Bool {
    guard state.isOpen else { return false }
    state = .cancelled
    owner = nil
    isOffline = false
    endedAt = now
    return true
  }

  /// Puts a job that has failed or was cancelled into the queue again; one that waits becomes ready.
  /// - Returns: false, without a change, if it is under way or completed.
  public mutating func retry(at now: Timestamp) -> Bool {
    guard state != .processing, state != .completed else { return false }
    state = .pending
    progress = 0
    retryCount = 0
    isOffline = false
    endedAt = nil
    nextAttempt = now
    return true
  }

  /// Takes over the engine, fallback, language and seal of another job, and starts anew.
  /// - Returns: false, without a change, if it does not wait, or is ready and has these already.
  public mutating func restart(as wanted: Job) -> Bool {
    guard state == .pending || state == .retrying else { return false }
    let isSame =
      engine == wanted.engine && fallback == wanted.fallback && language == wanted.language && seal == wanted.seal
    guard !isSame || state == .retrying || isOffline else { return false }
    (engine, fallback, language, seal) = (wanted.engine, wanted.fallback, wanted.language, wanted.seal)
    return retry(at: wanted.createdAt)
  }

  /// The job that summarizes a recording whose last transcription has ended.
  /// - Parameter job: that transcription; who asked for it has asked for this too.
  public static func summary(of recording: RecordingID, by engine: String, after job: Job) -> Job {
    var summary = Job(
      kind: .summarize, recording: recording, engine: engine, language: job.language,
      createdAt: job.endedAt ?? job.createdAt)
    summary.seal = job.seal
    return summary
  }

  private mutating func fail(_ reason: String, at now: Timestamp) {
    state = .failed
    lastError = Self.shortened(reason)
    endedAt = now
  }

  private mutating func takeFallback() -> Bool {
    guard let next = fallback else { return false }
    engine = next
    fallback = nil
    return true
  }

  private static func shortened(_ text: String) -> String {
    text.utf8.count <= maximumErrorLength
      ? text : String(decoding: text.utf8.prefix(maximumErrorLength - 4), as: UTF8.self)
  }
}

extension Timestamp {
  fileprivate func later(by pause: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + pause) }
}

// MARK: Columns

extension Job: RecordedFact {
  public static let table = "job"
  public static let key = ["id"]
  public static let rule = Rule.transcriptFacts

  public static let fields: [Field<Job>] =
    [Field("id", \.id, rule: rule), Field("kind", \.kind, rule: rule)]
    + Field.range(get: { $0.range }, set: { $0.range = $1 })
    + [
      Field("state", \.state, rule: rule),
      Field("progress", \.progress, rule: rule),
      Field("retryCount", \.retryCount, rule: rule),
      Field("lastError", \.lastError, rule: rule),
      Field("isOffline", \.isOffline, rule: rule),
      Field("engine", \.engine, rule: rule),
      Field("fallback", \.fallback, rule: rule),
      Field("language", \.language, rule: rule),
      Field("nextAttempt", \.nextAttempt, rule: rule),
      Field("startedAt", \.startedAt, rule: rule),
      Field("endedAt", \.endedAt, rule: rule),
      Field("createdAt", \.createdAt, rule: rule),
      Field(json: "command", \.command),
      Field("folder", \.folder, rule: rule),
      Field("seal", \.seal, rule: rule),
      Field("recording", \.recording, rule: rule),
    ] + Field.owner(\.owner)

  public static let blank = Job(kind: .command, createdAt: Timestamp(milliseconds: 0))

  public func validate() throws(RuleViolation) {
    try requireFact(id.rawValue > 0, "the id \(id.rawValue)")
    try requireFact(range?.isAccepted ?? true, "a range that cannot be")
    switch kind {
    case .transcribe: try requireFact(range != nil && engine != nil, "a transcription of nothing, or by no engine")
    case .summarize: try requireFact(recording != nil && engine != nil, "a summary of nothing, or by no engine")
    case .command: try requireFact(!command.isEmpty && folder != nil, "an empty command")
    }
    try requireFact(kind == .summarize || recording == nil, "a recording that is not summarized")
    try requireFact((0...1).contains(progress), "a progress of \(progress)")
    try requireFact(retryCount >= 0, "\(retryCount) attempts")
    try requireFact((lastError?.utf8.count ?? 0) <= Self.maximumErrorLength, "a long error")
    for name in [engine, fallback].compactMap(\.self) {
      try requireFact(Self.isEngineName(name), "the engine '\(name)'")
    }
    try requireFact(Transcript.isLanguage(language), "the language '\(language)'")
    for date in [nextAttempt, startedAt ?? createdAt, endedAt ?? createdAt, createdAt] {
      try requireFact(Timestamp.accepted.contains(date), "a date of \(date.milliseconds) ms")
    }
    try requireFact((state == .processing) == (owner != nil), "work without a worker, or a worker without work")
    if let owner { try requireFact(owner.processID > 0 && !owner.bootID.isEmpty, "the process \(owner.processID)") }
  }
}
