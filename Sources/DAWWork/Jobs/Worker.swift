import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import Foundation
import Synchronization

/// Takes jobs from a project's queue and does them. Any number of workers, in any number of processes, do this at once.
public struct Worker: Sendable {
  /// When it ends.
  public enum Goal: Sendable {
    /// When nothing is ready.
    case ready
    /// When nothing waits but for an engine that is offline.
    case idle
    /// Not by itself.
    case watch
  }

  public struct Attempt: Sendable {
    public var job: Job
    /// What it brought; `nil` if it is not kept.
    public var result: JobResult?
  }

  private let session: Session
  private let work: any WorkRepository
  private let engines: EngineFolder
  private let owner: OwnerProcess
  private let clock: @Sendable () -> Timestamp
  /// The program that does the jobs that are commands.
  private let program: String
  private let environment: [String: String]
  private let wordless = WordlessEngines()

  public init(_ session: Session, program: String) {
    self.init(session, work: session.work, engines: EngineFolder(), program: program, clock: { Timestamp.now() })
  }

  init(
    _ session: Session, work: any WorkRepository, engines: EngineFolder, program: String,
    environment: [String: String] = ProcessInfo.processInfo.environment, clock: @escaping @Sendable () -> Timestamp
  ) {
    self.session = session
    self.work = work
    self.engines = engines
    self.program = program
    self.environment = environment
    self.clock = clock
    owner = .current
  }

  /// - Parameters:
  ///   - atOnce: how many jobs are done at once.
  ///   - retainsDaily: whether a job of `retain` is put into the queue, unless there was one within a day.
  ///   - isWanted: jobs under way are given back to the queue when it returns `false`.
  ///   - isPaused: while it returns `true` no job is begun, and engines are stopped. Called from any thread.
  ///   - report: called from any thread, after each attempt.
  /// - Throws: `Failure` if the project cannot be read or written.
  public func run(
    _ goal: Goal, atOnce: Int = 3, retainsDaily: Bool = false,
    while isWanted: @escaping @Sendable () -> Bool = { true },
    pausingWhile isPaused: @escaping @Sendable () -> Bool = { false },
    report: @escaping @Sendable (Attempt) -> Void = { _ in }
  ) throws {
    // The sound that a killed worker has left.
    CacheFolder(session.cacheFolder).clear(downTo: .max)
    let lastLook: Timestamp?
    do {
      if retainsDaily { try addRetention() }
      lastLook = clock()
    } catch {
      // Another process writes for long: a watching one begins nevertheless, and looks again.
      guard case .watch = goal, Failure(error).kind == .tryAgain else { throw error }
      lastLook = nil
    }
    let failure = Mutex<Failure?>(nil)
    let ends = DispatchGroup()
    for number in 0..<atOnce {
      ends.enter()
      // A thread of its own: a program that it starts is killed when the thread ends.
      Thread.detachNewThread {
        defer { ends.leave() }
        do {
          try goOn(
            goal, retainsDaily: retainsDaily && number == 0, lastLook: lastLook,
            // Where one has waited too long for another process that writes, the others bring their jobs to an end.
            while: { isWanted() && failure.withLock({ $0 }).map { $0.kind == .tryAgain } ?? true },
            beginningWhile: { failure.withLock { $0 } == nil }, pausingWhile: isPaused, report: report)
        } catch {
          failure.withLock { $0 = $0 ?? Failure(error) }
        }
      }
    }
    ends.wait()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// - Parameter lastLook: when it was last looked whether a job of `retain` is due; `nil`: not yet.
  private func goOn(
    _ goal: Goal, retainsDaily: Bool, lastLook: Timestamp?, while isWanted: () -> Bool,
    beginningWhile begins: () -> Bool, pausingWhile isPaused: () -> Bool, report: (Attempt) -> Void
  ) throws {
    var lastLook = lastLook
    while isWanted(), begins() {
      if isPaused() {
        usleep(Self.pause)
        continue
      }
      do {
        if try doNext(while: isWanted, pausingWhile: isPaused, report: report) { continue }
        switch goal {
        case .ready: return
        case .idle:
          let counts = try work.counts()
          if counts[.processing] == 0, counts.waiting == counts.offline { return }
        case .watch:
          // Also where the clock was set back.
          if retainsDaily, lastLook.map({ abs(clock().milliseconds - $0.milliseconds) >= Self.hour }) ?? true {
            try addRetention()
            lastLook = clock()
          }
        }
      } catch {
        // Another process writes for long.
        guard case .watch = goal, Failure(error).kind == .tryAgain else { throw error }
      }
      usleep(Self.pause)
    }
  }

  /// Puts `retain` into the queue, where the project says what is too old and there was no such job within a day. Where
  /// what regions play would go as well, that is left to a person.
  private func addRetention() throws {
    let retention = try session.read { try $0.header().settings.retention }
    let now = clock()
    // What is dated further ahead was dated before the clock was set back.
    let last = Timestamp(milliseconds: now.milliseconds + Days(1).milliseconds)
    guard retention.isOn, retention.scope == .unused,
      try !work.jobs(JobFilter(word: "retain", since: now - Days(1), limit: .max)).jobs
        .contains(where: { $0.createdAt <= last })
    else { return }
    try session.enqueue(["retain"], in: session.folder.path, now: now, environment: environment)
  }

  /// In milliseconds.
  private static let hour: Int64 = 3_600_000
  /// Between two looks at the queue, in microseconds.
  private static let pause: UInt32 = 200_000

  /// Does one job, and reports what became of it.
  /// - Returns: `false` if none is ready.
  private func doNext(
    while isWanted: () -> Bool, pausingWhile isPaused: () -> Bool, report: (Attempt) -> Void
  ) throws -> Bool {
    let summarizer = try engines.summarizer()
    _ = try work.releaseJobs(at: clock(), summarizingBy: summarizer) { !$0.isAlive }
    var claim = JobClaim(now: clock(), owner: owner)
    for name in engines.names() {
      guard let engine = try? engines.engine(named: name) else { continue }
      claim.atOnce[name] = engine.atOnce
      claim.perMinute[name] = engine.perMinute
    }
    guard let job = try work.claim(claim) else { return false }
    var lastLook = ContinuousClock.now
    var result: JobResult?
    // Given up too if the user has cancelled it, also where another thread of this process has taken it since.
    func isStillWanted() -> Bool {
      guard isWanted() else { return false }
      if ContinuousClock.now - lastLook < .milliseconds(500) { return true }
      lastLook = ContinuousClock.now
      return (try? work.job(job.id)).map { $0?.owner == owner && $0?.startedAt == job.startedAt } ?? true
    }
    let outcome: JobOutcome
    do throws(EngineFault) {
      switch job.kind {
      case .transcribe:
        result = .transcript(try transcribe(job, while: isStillWanted, pausingWhile: isPaused))
      case .summarize: result = .summary(try summarize(job, while: isStillWanted, pausingWhile: isPaused))
      case .command: try run(job, while: isStillWanted)
      }
      outcome = .completed
    } catch {
      switch error {
      case .failed(let reason): outcome = .failed(reason)
      case .refused(let reason): outcome = .refused(reason)
      case .offline(let reason): outcome = .offline(reason)
      case .unwanted: outcome = .givenBack
      }
    }
    let ended = try waiting(while: isWanted) {
      try work.change(job.id, of: owner, keeping: result, summarizingBy: summarizer) { current in
        guard current.startedAt == job.startedAt else { return false }
        current.end(outcome, at: clock())
        return true
      }
    }
    // Otherwise it was cancelled, or is another's; or it has gone with its recording, and there is nothing to report.
    if let current = try ended ?? work.job(job.id) {
      report(Attempt(job: current, result: ended == nil ? nil : result))
    }
    return true
  }

  /// Tries again as long as another process writes: what a job has brought, and may have cost, is not to be lost.
  private func waiting<T>(while isWanted: () -> Bool, _ body: () throws -> T) throws -> T {
    while true {
      do {
        return try body()
      } catch {
        guard Failure(error).kind == .tryAgain, isWanted() else { throw error }
      }
      usleep(Self.pause)
    }
  }

  // MARK: Kinds of jobs

  private func transcribe(
    _ job: Job, while isWanted: () -> Bool, pausingWhile isPaused: () -> Bool
  ) throws(EngineFault) -> Transcript {
    guard let range = job.range, let name = job.engine else {
      throw .refused("The job names no sound to transcribe, or no engine.")
    }
    try requireOwn(job)
    let engine = try engine(named: name, for: .transcribe)
    let started = Date()
    func sound(isAlone: Bool) throws(EngineFault) -> RangeSound {
      do {
        return try RangeSound(range, of: session, isAlone: isAlone)
      } catch {
        // What a disk, or another process that writes, holds up now may come later.
        let failure = Failure(error)
        throw [.io, .tryAgain].contains(failure.kind) ? .failed(failure.message) : .refused(failure.message)
      }
    }
    var heard = try sound(isAlone: engine.output == .text || wordless.contains(name))
    guard !heard.isSilent else { return Transcript(range: range, language: job.language, createdAt: clock()) }
    var answer = try ask(engine, of: heard, job, while: isWanted, pausingWhile: isPaused)
    if answer.words.isEmpty, answer.text?.isEmpty == false, heard.samples.count > heard.rangeCount {
      // What it heard around the range cannot be told from the rest, and is in the texts of other ranges as well.
      wordless.add(name)
      heard = try sound(isAlone: true)
      answer = try ask(engine, of: heard, job, while: isWanted, pausingWhile: isPaused)
    }
    let transcript = answer.transcript(
      job, range, lead: Double(heard.lead) / Double(range.sampleRate.hertz),
      length: Double(heard.rangeCount) / Double(range.sampleRate.hertz), took: milliseconds(since: started),
      at: clock())
    guard transcript.text.utf8.count <= Transcript.maximumTextLength else {
      throw .failed("The answer of '\(name)' has more than 1 MiB of text.")
    }
    guard transcript.wordsLength <= Transcript.maximumWordsLength else {
      throw .failed("The words of the answer of '\(name)', with their times and speakers, take more than 4 MiB.")
    }
    return transcript
  }

  private func ask(
    _ engine: Engine, of sound: RangeSound, _ job: Job, while isWanted: () -> Bool, pausingWhile isPaused: () -> Bool
  ) throws(EngineFault) -> EngineAnswer {
    var lastProgress: ContinuousClock.Instant?
    return try withScratchFile("sound.wav") { place in
      try sound.write(for: engine, at: place)
    } body: { path throws(EngineFault) in
      try engine.transcribe(
        path, language: job.language, length: Double(sound.samples.count) / Double(sound.sampleRate.hertz),
        while: isWanted, pausingWhile: isPaused
      ) { progress in
        if let lastProgress, ContinuousClock.now - lastProgress < .milliseconds(500) { return }
        lastProgress = ContinuousClock.now
        _ = try? work.change(job.id, of: owner, keeping: nil) { current in
          guard current.startedAt == job.startedAt else { return false }
          current.progress = progress
          return true
        }
      }
    }
  }

  private func summarize(
    _ job: Job, while isWanted: () -> Bool, pausingWhile isPaused: () -> Bool
  ) throws(EngineFault) -> Summary {
    guard let recording = job.recording, let name = job.engine else {
      throw .refused("The job names no recording to summarize, or no engine.")
    }
    try requireOwn(job)
    let engine = try engine(named: name, for: .summarize)
    let started = Date()
    let said: SummaryInput?
    do {
      said = try session.read { try SummaryInput(recording, withComments: engine.comments, $0) }
    } catch {
      throw .failed(Failure(error).message)
    }
    guard let said, !said.isEmpty else { throw .refused("Nothing is known of what was said in the recording.") }
    let text = try withScratchFile("said.json") { place in
      _ = try place.parent.open().makeFile(place.name, Array(said.json()))
    } body: { path throws(EngineFault) in
      try engine.summarize(path, language: job.language, while: isWanted, pausingWhile: isPaused)
    }
    return Summary(
      of: recording, text: text, engine: name, processingTime: milliseconds(since: started),
      createdAt: clock())
  }

  /// The user's engines are for what the user has asked for, and so are commands.
  /// - Parameter remedy: what the user can do.
  private func requireOwn(
    _ job: Job, _ remedy: String = "'daw retry-job' gives it to your engines."
  ) throws(EngineFault) {
    let isOwn: Bool
    do {
      isOwn = try session.isQueuedByUser(job, environment)
    } catch {
      throw .failed(Failure(error).message)
    }
    guard isOwn else {
      throw .refused("It was put into the queue by another user, or on another machine; \(remedy)")
    }
  }

  /// 0 if the clock was set back meanwhile.
  private func milliseconds(since start: Date) -> Int64 { max(0, Int64(-start.timeIntervalSinceNow * 1000)) }

  private func engine(named name: String, for task: Engine.Task) throws(EngineFault) -> Engine {
    do {
      return try engines.engine(named: name, for: task)
    } catch {
      throw error.code == "engineNotFound" ? .offline(error.message) : .refused(error.message)
    }
  }

  /// Makes a file that an engine reads, in a folder of its own into which only the user can look; both go at the end.
  /// Nothing clears the cache meanwhile.
  private func withScratchFile<T>(
    _ name: String, write: (Place) throws -> Void, body: (_ path: String) throws(EngineFault) -> T
  ) throws(EngineFault) -> T {
    let use = FolderUse(sharing: session.cacheFolder)
    defer { use.end() }
    let place = session.newScratchPlace()
    defer { if let cache = try? place.parent.open() { _ = cache.removeAll(place.name) } }
    do {
      _ = try place.make(mode: 0o700)
      try write(place.appending(name))
      let written = try place.appending(name).openFile(O_RDONLY)
      defer { close(written) }
      guard fchmod(written, 0o600) == 0 else { throw SystemCallFailure(call: "chmod", code: errno) }
    } catch {
      throw .failed("'\(name)' could not be written to '\(place.parent.path)': \(Failure(error).message)")
    }
    return try body(place.appending(name).path)
  }

  private func run(_ job: Job, while isWanted: () -> Bool) throws(EngineFault) {
    try requireOwn(job, "'daw enqueue' does it here.")
    var run = ProgramRun(
      path: program, arguments: ["-p", session.folder.path] + job.command,
      environment: environment, timeLimit: 86_400)
    run.folder = job.folder
    let result: ProgramRun.Result
    do {
      result = try run.run(while: isWanted)
    } catch {
      throw .failed("'\(program)' could not be started: \(String(cString: strerror(error.code))).")
    }
    let reason = result.complaints.joined(separator: " ")
    switch result.ending {
    case .ended(.exited(let status)):
      switch ExitMeaning(status: status) {
      case .done: return
      case .offline: throw .offline(reason)
      case .refused: throw .refused(reason)
      case .notRun: throw .failed("'\(program)' could not be run in '\(job.folder ?? "")'. \(reason)")
      case .failed: throw .failed("It ended with exit status \(status). \(reason)")
      }
    case .ended(.killed(let signal)): throw .failed("It was ended by signal \(signal).")
    case .tookTooLong: throw .failed("It took more than a day.")
    case .wroteTooMuch: throw .failed("It wrote more than \(run.maximumOutput >> 20) MiB.")
    case .unwanted: throw .unwanted
    }
  }
}

/// The engines, by name, that gave a text without words: they hear a range alone.
private final class WordlessEngines: Sendable {
  private let names = Mutex<Set<String>>([])

  func contains(_ name: String) -> Bool { names.withLock { $0.contains(name) } }
  func add(_ name: String) { names.withLock { _ = $0.insert(name) } }
}
