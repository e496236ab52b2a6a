import DAWModel
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWStore

extension WorkRepositoryTests {
  static let recording = RecordingID(rawValue: 1)
  /// All of the recording.
  static let segments = [segment(), segment(101, 1), segment(102), segment(103)]

  static func summary(_ text: String, of recording: RecordingID = recording) -> Summary {
    Summary(of: recording, text: text, engine: "llama", processingTime: 5, createdAt: now)
  }

  /// Transcribes segments, each with a text or, where that is `nil`, in vain.
  /// - Returns: the jobs of summaries.
  private func transcribe(_ texts: [String?], _ repository: any WorkRepository, by summarizer: String? = "llama") throws
    -> [Job]
  {
    let jobs = try repository.add(texts.indices.map { Self.job(Self.segments[$0]) })
    for (job, text) in zip(jobs, texts) {
      let result = text.map { JobResult.transcript(Self.transcript(job.range ?? Self.segment(), $0)) }
      _ = try repository.change(job.id, of: nil, keeping: result, summarizingBy: summarizer) { job in
        job.begin(Self.owner, at: Self.now)
        job.end(text == nil ? .refused("no") : .completed, at: Self.later(9))
        return true
      }
    }
    return try repository.jobs(JobFilter(recording: Self.recording)).jobs
  }

  @Test("With the last transcription of a recording its summary is put into the queue, once", arguments: Kind.allCases)
  func summaryJobs(kind: Kind) throws {
    let repository = try repository(kind)
    #expect(try transcribe(["a", "", nil], repository).isEmpty)
    var expected = TranscriptionProgress(segments: 4, asked: 3, completed: 2, failed: 1, hasText: true)
    #expect(try repository.transcriptionProgress(of: Self.recording) == expected)
    let jobs = try transcribe(["a", "", nil, ""], repository)
    (expected.asked, expected.completed) = (4, 3)
    #expect(try repository.transcriptionProgress(of: Self.recording) == expected && expected.isComplete)
    #expect(jobs.count == 1 && jobs[0].kind == .summarize && jobs[0].recording == Self.recording)
    #expect(jobs[0].engine == "llama" && jobs[0].state == .pending && jobs[0].nextAttempt == Self.later(9))
    // One that waits is not put there again, by hand either; after its end there is another.
    #expect(try transcribe(["b"], repository) == jobs)
    let own = Job(kind: .summarize, recording: Self.recording, engine: "other", createdAt: Self.now)
    #expect(try repository.add([own, own]) == [jobs[0], jobs[0]])
    _ = try repository.change(jobs[0].id, of: nil, keeping: .summary(Self.summary("Short."))) { job in
      job.begin(Self.owner, at: Self.now)
      job.end(.completed, at: Self.now)
      return true
    }
    #expect(try repository.summaries(of: [Self.recording]) == [Self.summary("Short.")])
    #expect(try transcribe(["b"], repository).count == 2)
    for wrong in [RecordingID(rawValue: 2), nil] {
      #expect(throws: EditError.self) {
        try repository.add([Job(kind: .summarize, recording: wrong, engine: "x", createdAt: Self.now)])
      }
    }
    #expect(throws: EditError.self) {
      var job = Self.job(Self.file())
      job.recording = Self.recording
      _ = try repository.add([job])
    }
  }

  @Test(
    "No summary where nothing was said, a transcription was cancelled, or none is wanted", arguments: Kind.allCases)
  func noSummary(kind: Kind) throws {
    #expect(try transcribe(["", "", "", nil], repository(kind)).isEmpty)
    #expect(try transcribe(["a", "a", "a", "a"], repository(kind), by: nil).isEmpty)
    let repository = try repository(kind)
    let job = try repository.add([Self.job(Self.segment(103))])[0]
    _ = try repository.change(job.id, of: nil, keeping: nil, summarizingBy: "llama") { $0.cancel(at: Self.now) }
    #expect(try transcribe(["a", "a", "a"], repository).isEmpty)
    // A process that ended counts as a failure: after the last one nothing more comes of the segment.
    let last = try repository.add([Self.job(Self.segment(103))])[0]
    _ = try repository.change(last.id, of: nil, keeping: nil) { job in
      job.retryCount = 4
      job.begin(Self.owner, at: Self.now)
      return true
    }
    #expect(try repository.releaseJobs(at: Self.now, summarizingBy: "llama") { _ in true }.map(\.state) == [.failed])
    #expect(try repository.jobs(JobFilter(recording: Self.recording)).jobs.count == 1)
  }

  @Test("A summary takes the place of another, and is later", arguments: Kind.allCases)
  func summaries(kind: Kind) throws {
    let repository = try repository(kind)
    try repository.keep([Self.summary("first")])
    try repository.keep([Self.summary("second")])
    var expected = Self.summary("second")
    expected.createdAt = Self.later(1)
    #expect(try repository.summaries(of: nil) == [expected])
    #expect(try repository.summaries(of: [RecordingID(rawValue: 2)]).isEmpty)
    let long = String(repeating: "é", count: Summary.maximumTextLength / 2)
    try repository.keep([Self.summary(long)])
    for wrong in [Self.summary(""), Self.summary(long + "x"), Self.summary("x", of: RecordingID(rawValue: 2))] {
      #expect(throws: EditError.self) { try repository.keep([Self.summary("third"), wrong]) }
    }
    #expect(try repository.summaries(of: nil).map(\.text) == [long])
    try repository.removeSummaries(of: [Self.recording, RecordingID(rawValue: 2)])
    #expect(try repository.summaries(of: nil).isEmpty)
  }

  @Test("A recording goes with its summary and its jobs, and is not summarized while it runs or is in the trash")
  func recordings() throws {
    let store = try ProjectStore.inMemory()
    var facts = RecordingRepositoryTests.facts()
    facts.recording.trashedAt = Self.now
    try store.recordings.save(facts)
    #expect(try transcribe(["a", "a", "a", "a"], store.work).isEmpty)
    facts.recording.trashedAt = nil
    (facts.recording.isCompleted, facts.recording.endTime) = (false, nil)
    try store.recordings.save(facts)
    #expect(try transcribe(["a", "a", "a", "a"], store.work).isEmpty)
    try store.recordings.save(RecordingRepositoryTests.facts())
    #expect(try transcribe(["b"], store.work).count == 1)
    try store.work.keep([Self.summary("Short.")])
    // What is not sound, or not there any more, is not waited for.
    facts = RecordingRepositoryTests.facts()
    facts.passes[2].channelCount = 0
    facts.passes[2].inputs = []
    facts.segments[2].state = .missing
    try store.recordings.save(facts)
    #expect(try store.work.transcriptionProgress(of: Self.recording).segments == 2)
    try store.recordings.remove(Self.recording)
    #expect(try store.work.summaries(of: nil).isEmpty && store.work.jobs(JobFilter()).jobs.isEmpty)
  }
}
