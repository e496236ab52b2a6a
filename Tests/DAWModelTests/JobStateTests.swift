import DAWModel
import DAWTime
import Testing

@Suite("The states of a job")
struct JobStateTests {
  private let now = Timestamp(milliseconds: 1_000_000_000)
  private let owner = OwnerProcess(processID: 12, startTime: 34, bootID: "boot")
  private func later(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: now.milliseconds + milliseconds) }

  private func transcription(_ engine: String = "pocketsphinx", fallback: String? = nil) -> Job {
    let range = SoundRange(
      .file(AudioFileID(rawValue: 7)), start: .zero, frames: FrameCount(frames: 48_000),
      sampleRate: SampleRate(hertz: 48_000))
    return Job(kind: .transcribe, range: range, engine: engine, fallback: fallback, createdAt: now)
  }

  @Test("After the n-th failure it waits 2^(n−1) s; after the fifth it has failed")
  func failures() {
    var job = transcription()
    for (count, pause) in [(1, 1_000), (2, 2_000), (3, 4_000), (4, 8_000)] as [(Int, Int64)] {
      job.begin(owner, at: now)
      job.end(.failed("It crashed."), at: now)
      #expect(job.state == .retrying && job.retryCount == count && job.nextAttempt == later(pause))
      #expect(!job.isReady(at: later(pause - 1)) && job.isReady(at: later(pause)))
    }
    job.begin(owner, at: now)
    job.end(.failed("It crashed."), at: later(7))
    #expect(job.state == .failed && job.retryCount == 5 && job.lastError == "It crashed." && job.endedAt == later(7))
    #expect(job.owner == nil && !job.isReady(at: later(100_000)))
  }

  @Test("After the fifth failure the fallback has one attempt, and what succeeds keeps the last error")
  func fallback() {
    var job = transcription("web", fallback: "pocketsphinx")
    for _ in 1...5 {
      #expect(job.engine == "web")
      job.begin(owner, at: now)
      job.end(.failed("no"), at: now)
    }
    #expect(job.state == .retrying && job.engine == "pocketsphinx" && job.fallback == nil && job.isReady(at: now))
    var failing = job
    failing.begin(owner, at: now)
    failing.end(.failed("no"), at: now)
    #expect(failing.state == .failed && failing.retryCount == 6)
    job.begin(owner, at: now)
    job.end(.completed, at: now)
    #expect(job.state == .completed && job.lastError == "no" && job.retryCount == 5)
  }

  @Test("Offline counts no attempt, and asks the fallback where there is one; what is refused fails at once")
  func offline() {
    var job = transcription()
    job.begin(owner, at: now)
    job.end(.offline("No network."), at: now)
    #expect(job.state == .pending && job.retryCount == 0 && job.isOffline && job.nextAttempt == later(30_000))
    job.begin(owner, at: later(30_000))
    #expect(!job.isOffline)
    job.end(.refused("No WAV."), at: now)
    #expect(job.state == .failed && job.retryCount == 0 && job.lastError == "No WAV.")
    job = transcription("web", fallback: "pocketsphinx")
    job.begin(owner, at: now)
    job.end(.offline("No network."), at: now)
    #expect(job.engine == "pocketsphinx" && !job.isOffline && job.isReady(at: now) && job.retryCount == 0)
  }

  @Test("The largest count of attempts that a row may have is no fault of the program", arguments: [Int.max, .max - 1])
  func mostAttempts(count: Int) {
    for outcome in [JobOutcome.failed("x"), .refused("x"), .offline("x"), .completed] {
      var job = transcription()
      job.begin(owner, at: now)
      job.retryCount = count
      job.end(outcome, at: now)
      #expect(job.retryCount >= count && job.owner == nil)
    }
  }

  @Test("What waits is done as it is asked for last; what is under way or has ended is not")
  func restart() {
    var wanted = transcription("web", fallback: "pocketsphinx")
    wanted.createdAt = later(9)
    wanted.language = "de"
    wanted.seal = "x"
    let same = transcription()
    var job = same
    func restarts(_ job: inout Job, _ wanted: Job) -> Bool { job.restart(as: wanted) }
    #expect(restarts(&job, same) == false)
    #expect(job == same)
    #expect(restarts(&job, wanted) == true)
    #expect(job.engine == "web" && job.fallback == "pocketsphinx" && job.language == "de" && job.seal == "x")
    #expect(job.createdAt == now && job.isReady(at: later(9)))
    #expect(restarts(&job, wanted) == false)
    for outcome in [JobOutcome.failed("x"), .offline("x")] {
      var waiting = same
      waiting.begin(owner, at: now)
      #expect(restarts(&waiting, wanted) == false)
      waiting.end(outcome, at: now)
      #expect(restarts(&waiting, same) == true)
      #expect(waiting.retryCount == 0 && !waiting.isOffline)
    }
    job.end(.refused("x"), at: now)
    #expect(restarts(&job, same) == false)
    #expect(job.state == .failed)
  }

  @Test("What is open can be cancelled, what has ended or waits be tried again, from the start")
  func byHand() {
    var job = transcription()
    #expect(job.cancel(at: now) && job.state == .cancelled)
    #expect(!job.cancel(at: now) && job.retry(at: later(5)))
    #expect(job.state == .pending && job.nextAttempt == later(5))
    job.begin(owner, at: now)
    #expect(job.retry(at: now) == false)
    job.end(.failed("x"), at: now)
    #expect(job.retry(at: now) && job.retryCount == 0 && job.isReady(at: now))
    job.begin(owner, at: now)
    #expect(job.cancel(at: now) && job.owner == nil)
    job.end(.completed, at: now)
    #expect(job.retry(at: now) == false)
    job.lastError = nil
    job.end(.refused(String(repeating: "é", count: 3_000)), at: now)
    #expect((job.lastError?.utf8.count ?? 0) <= Job.maximumErrorLength)
  }

  @Test("A language is a tag, and no option of the program that is given it")
  func languages() {
    for text in ["en", "de-AT", "x"] { #expect(Transcript.isLanguage(text), "\(text)") }
    for text in ["", "-x", "--help", "e n", "en;", "../en"] { #expect(!Transcript.isLanguage(text), "\(text)") }
  }
}
