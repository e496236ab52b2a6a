import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import GRDB
import Testing

@testable import DAWStore

/// The store's tables and the simple ones in memory are held to the same.
@Suite("Transcripts and jobs")
struct WorkRepositoryTests {
  enum Kind: CaseIterable, Sendable {
    case stored, inMemory
  }

  /// With a recording of two passes, the first of two segments.
  func repository(_ kind: Kind) throws -> any WorkRepository {
    let facts = RecordingRepositoryTests.facts()
    switch kind {
    case .stored:
      let store = try ProjectStore.inMemory()
      try store.recordings.save(facts)
      return store.work
    case .inMemory:
      return MemoryWork(
        segments: Set(facts.segments.map { .segment($0.pass, $0.index) }),
        recordings: Dictionary(uniqueKeysWithValues: facts.passes.map { ($0.id, $0.recording) }))
    }
  }

  static let now = Timestamp(milliseconds: 1_000_000_000)
  static let owner = OwnerProcess(processID: 12, startTime: 34, bootID: "boot")
  static let other = OwnerProcess(processID: 13, startTime: 34, bootID: "boot")

  static func later(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: now.milliseconds + milliseconds)
  }

  static func segment(_ pass: Int64 = 101, _ index: Int = 0) -> SoundRange {
    SoundRange(
      .segment(PassID(rawValue: pass), index), start: FrameCount(frames: Int64(index) * 48_000),
      frames: FrameCount(frames: 48_000), sampleRate: SampleRate(hertz: 48_000))
  }

  static func file(_ start: Int64 = 0, _ id: Int64 = 7) -> SoundRange {
    SoundRange(
      .file(AudioFileID(rawValue: id)), start: FrameCount(frames: start), frames: FrameCount(frames: 48_000),
      sampleRate: SampleRate(hertz: 48_000))
  }

  static func job(_ range: SoundRange, _ engine: String = "pocketsphinx", fallback: String? = nil) -> Job {
    Job(kind: .transcribe, range: range, engine: engine, fallback: fallback, createdAt: now)
  }

  static func transcript(_ range: SoundRange, _ text: String = "good morning", confidence: Double? = 0.5) -> Transcript
  {
    Transcript(
      range: range, text: text, confidence: confidence, engine: "pocketsphinx", processingTime: 1200,
      words: [
        TranscriptWord("good", start: 0.125, end: 0.5, confidence: 0.25, speaker: "A"),
        TranscriptWord("morning", start: -0.5, end: 1.25),
      ], details: #"{"mood":"glad"}"#, createdAt: now)
  }

  private func claim(_ repository: any WorkRepository, at now: Timestamp = now, _ owner: OwnerProcess = owner) throws
    -> Job?
  {
    try repository.claim(JobClaim(now: now, owner: owner))
  }

  @Test("Jobs are read as they were written, in order, and of a range one is open", arguments: Kind.allCases)
  func jobs(kind: Kind) throws {
    let repository = try repository(kind)
    var command = Job(kind: .command, command: ["bounce", "-o", "a b.wav"], folder: "/tmp", createdAt: Self.now)
    command.lastError = "It's \"broken\"\n\u{1b}[31m"
    let added = try repository.add([
      Self.job(Self.segment()), command, Self.job(Self.file()), Self.job(Self.segment(), "other"),
      Self.job(Self.file(48_000)),
    ])
    #expect(added.count == 5 && added[3] == added[0])
    #expect(added[0].id < added[1].id && added[1].id < added[2].id && added[2].id < added[4].id)
    let kept = try repository.jobs(JobFilter()).jobs
    #expect(kept == [added[0], added[1], added[2], added[4]])
    #expect(kept[1].command == command.command && kept[1].lastError == command.lastError)
    let page = try repository.jobs(JobFilter(limit: 2, offset: 1))
    #expect(page.jobs == [added[1], added[2]] && page.hasMore)
    #expect(try repository.jobs(JobFilter(states: [.failed])).jobs.isEmpty)
    #expect(try repository.jobs(JobFilter(states: [.pending, .failed], ids: [added[4].id])).jobs == [added[4]])
    #expect(try repository.jobs(JobFilter(passes: [PassID(rawValue: 101)])).jobs == [added[0]])
    #expect(try repository.jobs(JobFilter(passes: [])).jobs.isEmpty)
    #expect(try repository.jobs(JobFilter(word: "bounce", since: Self.now)).jobs == [added[1]])
    #expect(try repository.jobs(JobFilter(word: "bounce", since: Self.later(1))).jobs.isEmpty)
    #expect(try repository.jobs(JobFilter(word: "-o")).jobs.isEmpty)
    #expect(try repository.job(added[2].id) == added[2])
    #expect(try repository.jobIDs() == kept.map(\.id))
    #expect(try repository.counts() == JobCounts(byState: [.pending: 4], offline: 0))
    #expect(throws: EditError.self) { try repository.add([Self.job(Self.segment(101, 9))]) }
    #expect(throws: EditError.self) { try repository.add([Self.job(Self.file(2), "../x")]) }
    #expect(throws: EditError.self) { try repository.add([Self.job(Self.file(3)), Self.job(Self.file(-1))]) }
    #expect(try repository.jobIDs().count == 4)
  }

  @Test("Jobs, transcripts and summaries of thousands of passes and files are found", arguments: Kind.allCases)
  func manyIDs(kind: Kind) throws {
    let repository = try repository(kind)
    let added = try repository.add([Self.job(Self.segment()), Self.job(Self.file())])
    try repository.keep([Self.transcript(Self.segment()), Self.transcript(Self.file())])
    // As long as ids are: their list is longer than a statement's text may be.
    let others = (0..<20_000).map { Int64(1) << 60 + Int64($0) }
    let passes = Set(([101] + others).map(PassID.init(rawValue:)))
    let files = Set(([7] + others).map(AudioFileID.init(rawValue:)))
    #expect(try repository.jobs(JobFilter(passes: passes)).jobs == [added[0]])
    #expect(try repository.jobs(JobFilter(files: files)).jobs == [added[1]])
    #expect(try repository.jobs(JobFilter(ids: added.map(\.id) + others.map(JobID.init(rawValue:)))).jobs == added)
    let media = TranscriptFilter.Media(passes: passes, files: files)
    #expect(try repository.transcripts(TranscriptFilter(media: media)).transcripts.count == 2)
    #expect(try repository.summaries(of: others.map(RecordingID.init(rawValue:))).isEmpty)
  }

  @Test("A job is taken once, the first that is ready; its owner alone ends it", arguments: Kind.allCases)
  func claims(kind: Kind) throws {
    let repository = try repository(kind)
    let jobs = try repository.add([Self.job(Self.file()), Self.job(Self.file(1)), Self.job(Self.file(2), "web")])
    let first = try #require(try claim(repository))
    #expect(first.id == jobs[0].id && first.state == .processing && first.owner == Self.owner)
    #expect(first.startedAt == Self.now)
    // Of the one engine no more at once, of the other none in this minute.
    let limited = JobClaim(now: Self.now, owner: Self.other, atOnce: ["pocketsphinx": 1], perMinute: ["web": 0])
    #expect(try repository.claim(limited) == nil)
    let second = try #require(try claim(repository, Self.other))
    #expect(second.id == jobs[1].id)
    #expect(try repository.change(first.id, of: Self.other, keeping: nil) { _ in true } == nil)
    let words = JobResult.transcript(Self.transcript(Self.file()))
    let done = try repository.change(first.id, of: Self.owner, keeping: words) { job in
      job.end(.completed, at: Self.later(5))
      return true
    }
    #expect(done?.state == .completed && done?.progress == 1 && done?.owner == nil && done?.endedAt == Self.later(5))
    #expect(try repository.transcripts(TranscriptFilter()).transcripts.map(\.text) == ["good morning"])
    // Only once.
    let again = try repository.change(first.id, of: Self.owner, keeping: words) { _ in true }
    #expect(again == nil)
    #expect(try repository.counts() == JobCounts(byState: [.completed: 1, .processing: 1, .pending: 1], offline: 0))
    // A range that is done is transcribed again by another job.
    #expect(try repository.add([Self.job(Self.file())])[0].id > jobs[2].id)
    let recent = JobClaim(now: Self.later(59_999), owner: Self.owner, perMinute: ["pocketsphinx": 2])
    #expect(try repository.claim(recent)?.engine == "web")
    #expect(try repository.claim(recent) == nil)
    var next = recent
    next.now = Self.later(60_000)
    #expect(try repository.claim(next)?.engine == "pocketsphinx")
  }

  @Test("A clock that was set back keeps no job waiting, and no engine busy", arguments: Kind.allCases)
  func clockSetBack(kind: Kind) throws {
    let repository = try repository(kind)
    let jobs = try repository.add([0, 1, 2].map { Self.job(Self.file($0)) })
    // Within a minute it may be that it has just failed.
    #expect(try claim(repository, at: Self.later(-60_000)) == nil)
    #expect(try claim(repository)?.id == jobs[0].id)
    var limited = JobClaim(now: Self.later(-86_400_000), owner: Self.owner, perMinute: ["pocketsphinx": 1])
    #expect(try repository.claim(limited)?.id == jobs[1].id)
    #expect(try repository.claim(limited) == nil)
    limited.now = Self.later(-86_340_000)
    #expect(try repository.claim(limited)?.id == jobs[2].id)
  }

  @Test("A job whose process has gone returns to the queue, counted", arguments: Kind.allCases)
  func lostWorkers(kind: Kind) throws {
    let repository = try repository(kind)
    let jobs = try repository.add([Self.job(Self.file()), Self.job(Self.file(1))])
    _ = try claim(repository)
    _ = try claim(repository, Self.other)
    let released = try repository.releaseJobs(at: Self.now, summarizingBy: nil) { $0 == Self.owner }
    #expect(released.map(\.id) == [jobs[0].id])
    #expect(released[0].state == .retrying && released[0].retryCount == 1 && released[0].lastError == Job.lostWorker)
    #expect(try repository.job(jobs[0].id) == released[0])
    #expect(try claim(repository, at: Self.later(999)) == nil)
    #expect(try claim(repository, at: Self.later(1000))?.id == jobs[0].id)
    #expect(try repository.releaseJobs(at: Self.now, summarizingBy: nil) { _ in false }.isEmpty)
  }

  @Test("What is transcribed again keeps its id; what it replaced is beside it", arguments: Kind.allCases)
  func transcripts(kind: Kind) throws {
    let repository = try repository(kind)
    try repository.keep([
      Self.transcript(Self.file(48_000), "second", confidence: nil), Self.transcript(Self.file(), "first"),
      Self.transcript(Self.segment(101, 1), "recorded", confidence: 0.75), Self.transcript(Self.segment(), ""),
    ])
    let all = try repository.transcripts(TranscriptFilter()).transcripts
    #expect(all.map(\.text) == ["", "recorded", "first", "second"])
    var expected = Self.transcript(Self.file(), "first")
    expected.id = all[2].id
    #expect(all[2] == expected)
    try repository.keep([Self.transcript(Self.file(), "better", confidence: 0.875)])
    let better = try #require(try repository.transcript(all[2].id))
    #expect(better.text == "better" && better.isCurrent)
    #expect(better.createdAt == Self.later(1))
    let earlier = try repository.earlier(than: better)
    #expect(earlier.map(\.text) == ["first"] && earlier.allSatisfy { !$0.isCurrent && $0.id != better.id })
    #expect(try repository.transcriptIDs().sorted() == all.map(\.id).sorted())
    func texts(_ filter: TranscriptFilter) throws -> [String] {
      try repository.transcripts(filter).transcripts.map(\.text)
    }
    #expect(try texts(TranscriptFilter(confidenceBelow: 0.75)) == [""])
    #expect(try texts(TranscriptFilter(media: .init(files: [AudioFileID(rawValue: 7)]))) == ["better", "second"])
    #expect(try texts(TranscriptFilter(media: .init(passes: [PassID(rawValue: 101)]))) == ["", "recorded"])
    #expect(try texts(TranscriptFilter(media: .init())) == [])
    let page = try repository.transcripts(TranscriptFilter(limit: 1, offset: 1))
    #expect(page.transcripts.map(\.text) == ["recorded"] && page.hasMore)
    #expect(try !repository.transcripts(TranscriptFilter(limit: 2, offset: 2)).hasMore)
    try repository.remove([better.id, TranscriptID(rawValue: 999)])
    #expect(try repository.earlier(than: better).isEmpty)
    #expect(try texts(TranscriptFilter()) == ["", "recorded", "second"])
    var lie = Self.transcript(Self.file(9))
    lie.words[0].end = 0
    #expect(throws: EditError.self) { try repository.keep([Self.transcript(Self.file(8)), lie]) }
    #expect(try texts(TranscriptFilter()).count == 3)
  }

  @Test("Transcripts from elsewhere keep their ids; one in another's place is refused", arguments: Kind.allCases)
  func restore(kind: Kind) throws {
    let repository = try repository(kind)
    var transcript = Self.transcript(Self.segment())
    transcript.id = TranscriptID(rawValue: 77)
    try repository.restore([transcript])
    #expect(try repository.transcript(transcript.id) == transcript)
    var other = Self.transcript(Self.file())
    for id in [77, 78] as [Int64] {
      other.id = TranscriptID(rawValue: id)
      if id == 78 { other.range = transcript.range }
      #expect(throws: EditError.self) { try repository.restore([other]) }
    }
    other.range = Self.segment(101, 9)
    #expect(throws: EditError.self) { try repository.restore([other]) }
    #expect(try repository.transcriptIDs() == [transcript.id])
    // The next one has an id of its own.
    try repository.keep([Self.transcript(Self.file())])
    #expect(try repository.transcriptIDs().count == 2)
  }

  @Test("Pages go through segments and then files, with words or without", arguments: Kind.allCases)
  func pages(kind: Kind) throws {
    let repository = try repository(kind)
    try repository.keep(
      [Self.file(48_000), Self.segment(101, 1), Self.file(), Self.segment()].map { Self.transcript($0, "t") })
    let all = try repository.transcripts(TranscriptFilter()).transcripts
    #expect(all.map(\.range) == [Self.segment(), Self.segment(101, 1), Self.file(), Self.file(48_000)])
    for limit in 1...5 {
      for offset in 0...5 {
        let page = try repository.transcripts(TranscriptFilter(limit: limit, offset: offset))
        #expect(page.transcripts == Array(all.dropFirst(offset).prefix(limit)), "\(limit) from \(offset)")
        #expect(page.hasMore == (offset + limit < 4), "\(limit) from \(offset)")
      }
    }
    let short = try repository.transcripts(TranscriptFilter(includesWords: false)).transcripts
    #expect(short.allSatisfy { $0.words.isEmpty && $0.text == "t" } && short.count == 4)
  }

  @Test("Random work leaves the same rows in both")
  func random() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    let both = try Kind.allCases.map(repository)
    var now = Self.now
    for step in 0..<400 {
      now.milliseconds += Int64.random(in: 0...3_000, using: &generator)
      let range =
        Bool.random(using: &generator)
        ? Self.file(Int64.random(in: 0...9, using: &generator))
        : Self.segments.randomElement(using: &generator) ?? Self.segment()
      let engine = ["a", "b"].randomElement(using: &generator) ?? "a"
      let owner = Bool.random(using: &generator) ? Self.owner : Self.other
      let choice = Int.random(in: 0..<9, using: &generator)
      let place = Int.random(in: 0..<20, using: &generator)
      let outcome: JobOutcome =
        [
          .completed, .failed("x"), .refused("y"), .offline("z"), .givenBack,
        ].randomElement(using: &generator) ?? .completed
      let limit = Int.random(in: 0...2, using: &generator)
      for repository in both {
        switch choice {
        case 0: _ = try repository.add([Self.job(range, engine, fallback: limit == 0 ? "b" : nil)])
        case 1...3:
          _ = try repository.claim(
            JobClaim(now: now, owner: owner, atOnce: ["a": limit], perMinute: limit == 2 ? ["b": 3] : [:]))
        case 4...5:
          let processing = try repository.jobs(JobFilter(states: [.processing])).jobs
          guard !processing.isEmpty else { break }
          let job = processing[place % processing.count]
          let result: JobResult? =
            outcome == .completed
            ? job.range.map { .transcript(Self.transcript($0, limit == 0 ? "" : "\(step)")) }
              ?? .summary(Self.summary("\(step)")) : nil
          _ = try repository.change(job.id, of: owner, keeping: result, summarizingBy: limit == 1 ? nil : "a") { job in
            job.end(outcome, at: now)
            return true
          }
        case 6: _ = try repository.releaseJobs(at: now, summarizingBy: "b") { $0 == owner }
        case 7:
          _ = try repository.add([Job(kind: .summarize, recording: Self.recording, engine: engine, createdAt: now)])
        default:
          let jobs = try repository.jobs(JobFilter()).jobs
          guard !jobs.isEmpty else { break }
          _ = try repository.change(jobs[place % jobs.count].id, of: nil, keeping: nil) { job in
            limit == 0 ? job.cancel(at: now) : job.retry(at: now)
          }
        }
      }
      let jobs = try both.map { try $0.jobs(JobFilter(limit: 1_000)).jobs.map(Self.withoutID) }
      try #require(jobs[0] == jobs[1], "step \(step), seed \(seed)")
      let texts = try both.map { try $0.transcripts(TranscriptFilter(limit: 1_000)).transcripts.map(\.text) }
      try #require(texts[0] == texts[1], "step \(step), seed \(seed)")
      try #require(try both[0].counts() == both[1].counts(), "step \(step), seed \(seed)")
      try #require(try both[0].summaries(of: nil) == both[1].summaries(of: nil), "step \(step), seed \(seed)")
      let progress = try both.map { try $0.transcriptionProgress(of: Self.recording) }
      try #require(progress[0] == progress[1], "step \(step), seed \(seed)")
    }
  }

  private static func withoutID(_ job: Job) -> Job {
    var job = job
    job.id = JobID(rawValue: 0)
    return job
  }
}
