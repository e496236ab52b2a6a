import DAWErrors
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Synchronization
import Testing

@testable import DAWWork

@Suite("Summaries of recordings")
struct SummaryTests {
  private let song: RecordedSong
  private var session: Session { song.session }
  private var folder: TemporaryFolder { song.scratch }
  private let recording: RecordingID

  init() throws {
    song = try RecordedSong()
    recording = try song.record(0xABCD, endingAt: Timestamp(milliseconds: 1_700_000_000_000), isUsed: true)
    try FileManager.default.createDirectory(
      atPath: song.scratch.path("daw/engines"), withIntermediateDirectories: true)
    try script("ears", #"echo '{"text":"guitar"}'"#, #""command": ["SCRIPT", "{input}"]"#)
  }

  private var engines: EngineFolder { EngineFolder(["XDG_CONFIG_HOME": folder.path]) }
  private var reference: String { "id:\(recording)" }

  private func worker(_ clock: @escaping @Sendable () -> Timestamp = { .now() }) -> Worker {
    Worker(session, work: session.work, engines: engines, program: "/bin/true", clock: clock)
  }

  /// - Parameter settings: of the engine's file; SCRIPT stands for the script.
  private func script(
    _ name: String, _ text: String, _ settings: String = #""command": ["SCRIPT"], "task": "summarize""#
  ) throws {
    try folder.write(Array("#!/bin/sh\n\(text)\n".utf8), to: "daw/engines/\(name).sh")
    chmod(folder.path("daw/engines/\(name).sh"), 0o700)
    try folder.write(
      Array("{\(settings.replacing("SCRIPT", with: folder.path("daw/engines/\(name).sh")))}".utf8),
      to: "daw/engines/\(name).json")
  }

  private func set(summarizer: String) throws {
    try folder.write(Array("{\"summaryEngine\": \"\(summarizer)\"}".utf8), to: "daw/settings.json")
  }

  private func transcribe() throws {
    _ = try session.transcribe([reference], by: engines.engine(named: "ears"), fallback: nil, language: "de")
  }

  private func ask(_ engine: String = "llama", fallback: String? = nil) throws -> Job {
    try session.summarize(
      reference, by: engines.engine(named: engine, for: .summarize),
      fallback: fallback.map { try engines.engine(named: $0, for: .summarize) })
  }

  private func state() throws -> SummaryState { try session.read { try $0.summaryState(of: recording) } }

  private func said() throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.path("said")))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test("When all of a recording was transcribed, the engine of the settings is given the texts and writes a summary")
  func automatic() throws {
    try script(
      "llama",
      """
      cat >'\(folder.path("said"))'
      readlink /proc/self/fd/0 >'\(folder.path("input"))'
      stat -c %a "$(cat '\(folder.path("input"))')" "$(dirname "$(cat '\(folder.path("input"))')")" >'\(folder.path("modes"))'
      echo 'They talk of a guitar.'
      """)
    try set(summarizer: "llama")
    _ = try session.edit(song.origin) { editor in
      _ = try editor.setRecording(reference, title: "Verse", notes: nil)
      _ = try editor.addComment("What a guitar!", recording: reference)
    }
    try transcribe()
    try worker().run(.idle, atOnce: 2)
    let state = try state()
    #expect(state.summary?.text == "They talk of a guitar." && state.summary?.engine == "llama" && !state.hasFailed)
    #expect(state.job?.state == .completed && state.job?.language == "de")
    #expect(try session.work.jobs(JobFilter(recording: recording)).jobs.count == 1)
    let said = try said()
    #expect(Set(said.keys) == ["title", "startTime", "duration", "texts"] && said["title"] as? String == "Verse")
    #expect(said["duration"] as? Double == 1)
    let texts = try #require(said["texts"] as? [[String: Any]])
    #expect(texts.map { $0["text"] as? String } == ["guitar", "guitar", "guitar"])
    #expect(texts.map { $0["track"] as? String } == ["Vox", "Vox", "Vox"])
    let starts = texts.compactMap { $0["start"] as? Double }
    #expect(zip(starts, [0, 20_000, 40_000]).allSatisfy { abs($0 - Double($1) / 48_000) < 0.001 }, "\(starts)")
    #expect(texts.last?["end"] as? Double ?? 0 > 0.99)
    #expect(try String(contentsOfFile: folder.path("modes"), encoding: .utf8) == "600\n700\n")
    let input = try String(contentsOfFile: folder.path("input"), encoding: .utf8).split(separator: "\n").joined()
    #expect(input.contains("/Cache/") && !FileManager.default.fileExists(atPath: input))
    // It is no edit: undo leaves it.
    _ = try session.store.undo(origin: song.origin)
    #expect(try self.state().summary == state.summary)
    #expect(try session.search(SearchRequest(#require(SearchQuery(words: "talk")))).results.map(\.kind) == [.summary])
  }

  @Test("Sound that cannot be read at the moment is tried again; what is not there fails at once")
  func unreadable() throws {
    let paths = try song.segments(recording).map { session.folder.absolute($0.path) }
    for path in paths.prefix(2) { try FileManager.default.removeItem(atPath: path) }
    // A link to itself is an error of the system, as a disk that does not answer is.
    try FileManager.default.createSymbolicLink(atPath: paths[0], withDestinationPath: paths[0])
    try transcribe()
    try worker().run(.ready, atOnce: 1)
    #expect(try session.work.jobs(JobFilter()).jobs.map(\.state) == [.retrying, .failed, .completed])
  }

  @Test("Without an engine in the settings there is none; settings that cannot be used stop the work before a job")
  func settings() throws {
    try script("llama", "echo x")
    try transcribe()
    try worker().run(.idle)
    #expect(try state().job == nil && state().summary == nil)
    try transcribe()
    let long = #"{"summaryEngine": "llama"}"# + String(repeating: " ", count: 1 << 20)
    for wrong in [#"{"summaryEngine": 5}"#, #"{"summaryEngine": "../x"}"#, "{", long] {
      try folder.write(Array(wrong.utf8), to: "daw/settings.json")
      #expect(throws: Failure.self) { try worker().run(.idle) }
    }
    #expect(try session.work.counts()[.pending] == 3)
    // An engine that is not there is asked again, as any.
    try set(summarizer: "gone")
    try worker().run(.idle)
    #expect(try state().job?.isOffline == true && session.work.counts()[.completed] == 6)
  }

  @Test(
    "Comments go only where the engine's file says so, the newest of them, and what a person says of a transcript counts"
  )
  func comments() throws {
    try script("llama", "cat >'\(folder.path("said"))'; echo ok")
    try transcribe()
    try worker().run(.idle)
    var retention = Retention()
    retention.thread = 2
    try song.set(retention)
    _ = try session.edit(song.origin) { editor in
      for (number, text) in ["first", "second", "third"].enumerated() {
        _ = try editor.addComment(
          text, recording: reference, author: "ada", date: Timestamp(milliseconds: Int64(3 - number) * 1_000))
      }
      let id = try editor.view.transcriptEntries().entries[0].transcript.id
      _ = try editor.setTranscript("id:\(id)", text: "bass")
    }
    _ = try ask()
    try worker().run(.idle)
    #expect(try said()["comments"] == nil)
    try script(
      "llama", "cat >'\(folder.path("said"))'; echo ok",
      #""command": ["SCRIPT"], "task": "summarize", "comments": true"#)
    _ = try ask()
    try worker().run(.idle)
    let comments = try #require(try said()["comments"] as? [[String: String]])
    #expect(comments.map { $0["text"] } == ["second", "first"] && comments.allSatisfy { $0["author"] == "ada" })
    let texts = try #require(try said()["texts"] as? [[String: Any]])
    #expect(texts.map { $0["text"] as? String } == ["bass", "guitar", "guitar"])
  }

  @Test(
    "An engine that lies, hangs, floods or crashes has failed, and nothing of it is kept",
    arguments: [
      ("true", "'llama' has written nothing."), (#"printf ' \n\t'"#, "'llama' has written nothing."),
      (#"printf 'a\377b'"#, "The answer of 'llama' cannot be read: it is not UTF-8."),
      ("head -c 65537 /dev/zero | tr '\\0' x", "The summary by 'llama' has more than 64 KiB."),
      ("yes", "'llama' wrote more than 16 MiB."), ("sleep 600", "'llama' took more than 1 s."),
      ("echo half; kill -9 $$", "'llama' was ended by signal 9."),
      ("echo half; echo 'no model' >&2; exit 1", "'llama' ended with exit status 1. It says: no model"),
      ("exit 65", "'llama' does not take this text (exit status 65)."),
    ])
  func faults(answer: String, error: String) throws {
    let limit = answer.hasPrefix("sleep") ? 1 : 600
    try script("llama", answer, #""command": ["SCRIPT"], "task": "summarize", "timeLimit": \#(limit)"#)
    try transcribe()
    try worker().run(.idle)
    try session.work.keep([Summary(of: recording, text: "Earlier.", engine: "llama", createdAt: .now())])
    let job = try ask()
    // After the last attempt.
    _ = try session.work.change(job.id, of: nil, keeping: nil) { job in
      job.retryCount = 4
      return true
    }
    try worker().run(.idle)
    let state = try state()
    #expect(state.hasFailed && state.job?.lastError == error && state.summary?.text == "Earlier.")
    let cache = try FileManager.default.contentsOfDirectory(atPath: song.folder.path + "/Cache")
    #expect(!cache.contains { $0.hasPrefix(".") && $0 != ".lock" }, "\(cache)")
  }

  @Test("A line without an end, and one with control characters, is text")
  func plain() throws {
    try script("llama", #"printf 'a \033[31mhalf\nline'"#)
    try transcribe()
    try worker().run(.idle)
    _ = try ask()
    try worker().run(.idle)
    #expect(try state().summary?.text == "a  [31mhalf\nline")
  }

  @Test("A failure is tried again after 1, 2, 4 and 8 s; then the fallback is asked, and offline counts no attempt")
  func retries() throws {
    try script("llama", "echo x >>'\(folder.path("tries"))'; exit 1")
    try script("other", "echo Short.")
    try transcribe()
    try worker().run(.idle)
    let job = try ask(fallback: "other")
    let now = Mutex(Timestamp.now().milliseconds)
    let worker = worker { Timestamp(milliseconds: now.withLock { $0 }) }
    for pause in [1_000, 2_000, 4_000, 8_000] as [Int64] {
      try worker.run(.ready, atOnce: 1)
      #expect(try state().job?.state == .retrying)
      now.withLock { $0 += pause }
    }
    try worker.run(.ready, atOnce: 1)
    #expect(try state().summary?.engine == "other" && state().job?.retryCount == 5 && state().job?.id == job.id)
    #expect(try String(contentsOfFile: folder.path("tries"), encoding: .utf8).count == 10)
    try script("llama", "exit 69")
    _ = try ask()
    try worker.run(.idle, atOnce: 1)
    #expect(try state().job?.isOffline == true && state().job?.retryCount == 0 && !state().hasFailed)
  }

  @Test("Killed in any state, it is done once by the next worker")
  func killed() throws {
    try script("llama", "echo x >>'\(folder.path("asked"))'; echo Short.")
    try transcribe()
    try worker().run(.idle)
    // A process that has ended: the number is this one's, which began at another time.
    let gone = OwnerProcess(processID: Int(getpid()), startTime: 1, bootID: "gone")
    let job = try ask()
    _ = try session.work.change(job.id, of: nil, keeping: nil) { job in
      job.begin(gone, at: .now())
      return true
    }
    try worker().run(.idle)
    let state = try state()
    #expect(state.summary?.text == "Short." && state.job?.retryCount == 1 && state.job?.lastError == Job.lostWorker)
    // What the lost process would still say is not taken.
    let late = Summary(of: recording, text: "Late.", engine: "llama", createdAt: .now())
    #expect(try session.work.change(job.id, of: gone, keeping: .summary(late)) { _ in true } == nil)
    #expect(try self.state().summary == state.summary)
    #expect(try String(contentsOfFile: folder.path("asked"), encoding: .utf8) == "x\n")
  }

  @Test("A cancelled job keeps nothing, nor does one whose recording is forgotten meanwhile")
  func cancelled() throws {
    let mark = folder.path("mark")
    try script("llama", "touch '\(mark)'; sleep 600")
    try transcribe()
    try worker().run(.idle)
    let job = try ask()
    let work = session.work
    Thread.detachNewThread {
      while !FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
      _ = try? work.change(job.id, of: nil, keeping: nil) { $0.cancel(at: .now()) }
    }
    try worker().run(.ready, atOnce: 1)
    #expect(try state().job?.state == .cancelled && state().summary == nil && !state().hasFailed)
    unlink(mark)
    try script("llama", "touch '\(mark)'; sleep 1; echo Short.")
    _ = try ask()
    let (recordings, recording) = (session.store.recordings, recording)
    Thread.detachNewThread {
      while !FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
      try? recordings.remove(recording)
    }
    // What is behind it in the queue is done nevertheless.
    let command = try session.enqueue(["check"], in: "/tmp")
    try worker().run(.ready, atOnce: 1)
    #expect(try session.work.summaries(of: nil).isEmpty)
    let left = try session.work.jobs(JobFilter()).jobs
    #expect(left.map(\.id) == [command.id] && left.map(\.state) == [.completed])
  }

  @Test("Where a job goes with its recording during a pause, no other is begun before the end of the pause")
  func goneInPause() throws {
    let mark = folder.path("mark")
    try script("llama", "touch '\(mark)'; sleep 600")
    try transcribe()
    try worker().run(.idle)
    _ = try ask()
    let command = try session.enqueue(["check"], in: "/tmp")
    let (recordings, work, recording) = (session.store.recordings, session.work, recording)
    let looks = Mutex<(count: Int, states: Set<Job.State>)>((0, []))
    try worker().run(
      .ready, atOnce: 1,
      pausingWhile: {
        guard FileManager.default.fileExists(atPath: mark) else { return false }
        return looks.withLock { looks in
          looks.count += 1
          if looks.count == 1 { try? recordings.remove(recording) }
          // Looks are at least 0.1 s apart, and half a second later the worker notices that the job has gone.
          guard looks.count <= 15 else { return false }
          if let job = try? work.job(command.id) { looks.states.insert(job.state) }
          return true
        }
      })
    #expect(looks.withLock { $0.states } == [.pending])
    #expect(try session.work.job(command.id)?.state == .completed)
  }

  @Test("An engine is for sound or for texts, and takes nothing else")
  func tasks() throws {
    try script("llama", "echo x")
    #expect(throws: Failure.self) { try engines.engine(named: "llama", for: .transcribe) }
    #expect(throws: Failure.self) { try ask("pocketsphinx") }
    #expect(throws: Failure.self) { try ask() }
    try transcribe()
    try worker().run(.idle)
    // The file was changed when the job was in the queue already.
    let job = try ask()
    _ = try session.work.change(job.id, of: nil, keeping: nil) { job in
      job.engine = "ears"
      return true
    }
    try worker().run(.idle)
    #expect(try state().job?.lastError?.contains("'ears' takes sound, not texts") == true && state().hasFailed)
    for wrong in [
      #""command": ["SCRIPT"], "task": "translate""#, #""command": ["SCRIPT"], "task": "summarize", "output": "srt""#,
      #""command": ["SCRIPT", "{input}"], "comments": true"#, #""command": ["SCRIPT"]"#,
      #""command": ["SCRIPT"], "task": "summarize", "comments": "yes""#,
    ] {
      try script("wrong", "true", wrong)
      #expect(throws: Failure.self, "\(wrong)") { try engines.engine(named: "wrong") }
    }
  }

  @Test("A recording whose summary waits is in use; summaries go with old transcripts, and with their recording")
  func retention() throws {
    try script("llama", "echo Short.")
    try transcribe()
    try worker().run(.idle)
    _ = try ask()
    #expect(try session.isInOpenJob(recording))
    try worker().run(.idle)
    #expect(try !session.isInOpenJob(recording) && state().summary != nil)
    let created = try #require(try state().summary?.createdAt)
    let before = try session.removeTexts(before: created, isTrial: false)
    #expect(try before.summaries == 0 && state().summary != nil)
    let trial = try session.removeTexts(before: created.later(1), isTrial: true)
    #expect(try trial.summaries == 1 && state().summary != nil)
    let removed = try session.removeTexts(before: created.later(1), isTrial: false)
    #expect(try removed.summaries == 1 && state().summary == nil)
  }
}

extension Timestamp {
  fileprivate func later(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: self.milliseconds + milliseconds)
  }
}
