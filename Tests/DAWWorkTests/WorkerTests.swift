import DAWErrors
import DAWMedia
import DAWModel
import DAWProject
import DAWStore
import DAWTestSupport
import DAWTime
import Foundation
import Synchronization
import Testing

@testable import DAWWork

@Suite("Workers")
struct WorkerTests {
  let folder: TemporaryFolder
  let session: Session
  private let origin = EditOrigin(author: "test", commandLine: "test")

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("daw/engines"), withIntermediateDirectories: true)
    session = try Session.create(
      ProjectFolder(path: folder.path("Song.daw")), settings: ProjectSettings(name: Name("Song")), origin: origin)
  }

  var engines: EngineFolder { EngineFolder(["XDG_CONFIG_HOME": folder.path]) }

  var environment: [String: String] { ["XDG_DATA_HOME": folder.path, "PATH": "/usr/bin:/bin"] }

  func worker(_ program: String = "/bin/true", clock: @escaping @Sendable () -> Timestamp = { .now() })
    -> Worker
  {
    Worker(session, work: session.work, engines: engines, program: program, environment: environment, clock: clock)
  }

  func script(_ name: String, _ text: String, _ settings: String = "") throws {
    try folder.write(Array("#!/bin/sh\n\(text)\n".utf8), to: "daw/engines/\(name).sh")
    chmod(folder.path("daw/engines/\(name).sh"), 0o700)
    try folder.write(
      Array("{\"command\": [\"\(folder.path("daw/engines/\(name).sh"))\", \"{input}\"]\(settings)}".utf8),
      to: "daw/engines/\(name).json")
  }

  /// Brings in a sound.
  func bringIn(_ samples: [Float], _ name: String = "speech.wav", rate: Int = 16_000) throws {
    let writer = try WaveWriter(
      at: Place(path: folder.path(name)),
      format: AudioFileFormat(encoding: .int16, sampleRate: SampleRate(hertz: rate), channelCount: 1))
    try samples.withUnsafeBufferPointer { block in
      if let base = block.baseAddress { try writer.append(interleaved: base, frameCount: samples.count) }
    }
    try writer.finish()
    _ = try session.edit(origin) { _ = try $0.importAudioFile(at: folder.path(name), isLinked: false) }
  }

  func tone(_ seconds: Double, rate: Int = 16_000, level: Float = 0.5) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { level * Float(Foundation.sin(Double($0) * 0.1)) }
  }

  func entries() throws -> [TranscriptEntry] { try session.read { try $0.transcriptEntries().entries } }

  func queue(_ names: [String] = ["speech.wav"], _ engine: String = "script", fallback: String? = nil) throws
    -> [Job]
  {
    try session.transcribe(
      names, by: engines.engine(named: engine), fallback: fallback.map { try engines.engine(named: $0) },
      language: "en", environment: environment)
  }

  @Test("A file is transcribed 30 s at a time, with 1 s around; a word belongs where its middle is")
  func ranges() throws {
    // Says how long the sound is, and has a word at its first second, its middle, and its last.
    try script(
      "script",
      """
      n=$(( ($(stat -c %s "$1") - 44) / 2 ))
      stat -c %a "$1" "$(dirname "$1")" >>'\(folder.path("modes"))'
      echo "{\\"word\\":\\"$n\\",\\"start\\":0.9,\\"end\\":1.0}"
      echo '{"word":"later","start":1.0,"end":1.2}'
      echo '{"word":"across","start":30.2,"end":31.2}'
      echo '{"word":"behind","start":30.9,"end":31.2}'
      """)
    try bringIn(tone(75))
    let jobs = try queue()
    #expect(jobs.map { $0.range?.start.frames } == [0, 480_000, 960_000])
    // The last range ends before the last words.
    try script(
      "short",
      """
      n=$(( ($(stat -c %s "$1") - 44) / 2 ))
      echo "{\\"word\\":\\"$n\\",\\"start\\":1.5,\\"end\\":1.6}"
      """)
    let work = session.work
    _ = try work.change(jobs[2].id, of: nil, keeping: nil) { job in
      job.engine = "short"
      return true
    }
    try worker().run(.idle, atOnce: 2)
    let found = try entries()
    // Words before the range belong to the one before; the first has nothing before it.
    #expect(found.map(\.text) == ["496000 later", "later across", "256000"])
    #expect(found[1].transcript.words.map(\.start) == [0, 29.2] && found[2].transcript.words[0].start == 0.5)
    #expect(found.map(\.start) == [0, 30, 60] && found[2].duration == 15)
    let modes = try String(contentsOfFile: folder.path("modes"), encoding: .utf8).split(separator: "\n")
    #expect(modes == ["600", "700", "600", "700"])
    let cache = try FileManager.default.contentsOfDirectory(atPath: folder.path("Song.daw/Cache"))
    #expect(!cache.contains { $0.hasPrefix(".") && $0 != ".lock" }, "\(cache)")
    #expect(try session.work.counts() == JobCounts(byState: [.completed: 3], offline: 0))
  }

  @Test("An engine that gives a text without words hears no range but its own")
  func withoutWords() throws {
    try script(
      "script",
      """
      echo "{\\"text\\":\\"$(( ($(stat -c %s "$1") - 44) / 2 ))\\"}"
      echo x >>'\(folder.path("log"))'
      """)
    try bringIn(tone(75))
    _ = try queue()
    try worker().run(.ready, atOnce: 1)
    #expect(try entries().map(\.text) == ["480000", "480000", "240000"])
    // Only the first was asked for twice.
    #expect(try String(contentsOfFile: folder.path("log"), encoding: .utf8) == "x\nx\nx\nx\n")
  }

  @Test("What is silent is not sent, and completes empty")
  func silence() throws {
    try script("script", "touch '\(folder.path("asked"))'")
    try bringIn(tone(3, level: 0.003))
    _ = try queue()
    try worker().run(.idle)
    let found = try entries()
    #expect(found.map(\.text) == [""] && found[0].transcript.engine == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path("asked")))
    // −50 dBFS RMS is an amplitude of 0.0045.
    try bringIn(tone(3).map { $0 * 0.012 }, "louder.wav")
    _ = try queue(["louder.wav"])
    try worker().run(.idle)
    #expect(FileManager.default.fileExists(atPath: folder.path("asked")))
  }

  @Test("An engine that floods with words fails; the worker and the project go on")
  func tooManyWords() throws {
    try script(
      "script",
      """
      awk 'BEGIN {
        speaker = sprintf("%200s", ""); gsub(/ /, "x", speaker)
        for (i = 0; i < 40000; i++) print "{\\"word\\":\\"a\\",\\"start\\":0,\\"end\\":1,\\"speaker\\":\\"" speaker "\\"}"
      }'
      """)
    try script("other", #"echo '{"word":"hello","start":0,"end":1}'"#)
    try bringIn(tone(2))
    let flooded = try queue()[0]
    try bringIn(tone(2, level: 0.25), "other.wav")
    _ = try queue(["other.wav"], "other")
    try worker().run(.ready, atOnce: 1)
    let job = try #require(try session.work.job(flooded.id))
    #expect(job.state == .retrying && job.lastError?.contains("4 MiB") == true)
    #expect(try entries().map(\.text) == ["hello"])
  }

  @Test("A failure is tried again after 1, 2, 4 and 8 s; after the fifth the fallback is asked")
  func retries() throws {
    try script("script", "echo x >>'\(folder.path("tries"))'; exit 1")
    try script("other", #"echo '{"word":"hello","start":0,"end":1}'"#)
    try bringIn(tone(2))
    let job = try queue(fallback: "other")[0]
    let now = Mutex(Timestamp.now().milliseconds)
    let worker = worker(clock: { Timestamp(milliseconds: now.withLock { $0 }) })
    for pause in [1_000, 2_000, 4_000, 8_000] as [Int64] {
      try worker.run(.ready, atOnce: 1)
      let waiting = try #require(try session.work.job(job.id))
      #expect(waiting.state == .retrying && waiting.nextAttempt.milliseconds == now.withLock { $0 } + pause)
      now.withLock { $0 += pause - 1 }
      try worker.run(.ready, atOnce: 1)
      #expect(try session.work.job(job.id) == waiting)
      now.withLock { $0 += 1 }
    }
    try worker.run(.ready, atOnce: 1)
    let done = try #require(try session.work.job(job.id))
    #expect(done.state == .completed && done.retryCount == 5 && done.engine == "other")
    #expect(done.lastError == "'script' ended with exit status 1.")
    #expect(try String(contentsOfFile: folder.path("tries"), encoding: .utf8).count == 10)
    #expect(try entries().map(\.text) == ["hello"])
  }

  @Test("Offline counts no attempt; what is refused, or whose file is gone, fails at once")
  func offline() throws {
    try script("script", "exit 69")
    try script("picky", "exit 65")
    try bringIn(tone(2))
    let job = try queue()[0]
    try worker().run(.idle)
    #expect(try session.work.job(job.id)?.isOffline == true && session.work.job(job.id)?.retryCount == 0)
    #expect(try session.work.counts().offline == 1)
    _ = try session.work.change(job.id, of: nil, keeping: nil) { $0.cancel(at: .now()) }
    let refused = try queue(engine: "picky")
    try worker().run(.idle)
    #expect(try session.work.job(refused[0].id)?.state == .failed)
    let file = try #require(try session.read { try $0.all(AudioFile.self) }.first)
    try FileManager.default.removeItem(atPath: folder.path("Song.daw/" + file.location.path))
    let missing = try queue()
    try worker().run(.idle)
    let failed = try #require(try session.work.job(missing[0].id))
    #expect(failed.state == .failed && failed.lastError?.contains("is missing") == true)
    #expect(throws: Failure.self) { try queue(["nothing.wav"]) }
  }

  private func queue(engine: String) throws -> [Job] { try queue(["speech.wav"], engine) }

  @Test("A job that is cancelled while it is done ends, and its answer is not kept")
  func cancelled() throws {
    let mark = folder.path("mark")
    try script("script", "touch '\(mark)'; sleep 600")
    try bringIn(tone(2))
    let job = try queue()[0]
    let work = session.work
    Thread.detachNewThread {
      while !FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
      _ = try? work.change(job.id, of: nil, keeping: nil) { $0.cancel(at: .now()) }
    }
    try worker().run(.ready, atOnce: 1)
    #expect(try session.work.job(job.id)?.state == .cancelled)
    #expect(try entries().isEmpty)
  }

  @Test("A worker that is asked to end gives its job back, uncounted")
  func givenBack() throws {
    let mark = folder.path("mark")
    try script("script", "touch '\(mark)'; sleep 600")
    try bringIn(tone(2))
    let job = try queue()[0]
    try worker().run(.watch, atOnce: 2, while: { !FileManager.default.fileExists(atPath: mark) })
    let waiting = try #require(try session.work.job(job.id))
    #expect(waiting.state == .pending && waiting.retryCount == 0 && waiting.owner == nil)
  }

  @Test("A command is done by the program, in its folder; its exit status tells what to do next")
  func commands() throws {
    let log = folder.path("log")
    try folder.write(
      Array("#!/bin/sh\necho \"$PWD $*\" >>'\(log)'\necho \"bad $4\" >&2\nexit $4\n".utf8), to: "program")
    chmod(folder.path("program"), 0o700)
    func add(_ status: Int) throws -> Job {
      try session.enqueue(["bounce", "\(status)"], in: "/tmp", environment: environment)
    }
    let jobs = try [0, 66, 75].map(add)
    try worker(folder.path("program")).run(.ready, atOnce: 1)
    let ended = try jobs.compactMap { try session.work.job($0.id) }
    #expect(ended.map(\.state) == [.completed, .failed, .retrying])
    #expect(ended[1].lastError == "bad 66" && ended[2].lastError == "It ended with exit status 75. bad 75")
    let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.first == "/tmp -p \(session.folder.path) bounce 0")
  }

  @Test("A command that came with the project, or was changed since it was queued, is not done")
  func foreignCommands() throws {
    try folder.write(Array("#!/bin/sh\necho \"$*\" >>'\(folder.path("log"))'\n".utf8), to: "program")
    chmod(folder.path("program"), 0o700)
    let own = try session.enqueue(["check"], in: "/tmp", environment: environment)
    #expect(try session.enqueue(["check"], in: "/tmp", environment: environment).seal != nil)
    var jobs = [Job(kind: .command, command: ["bounce", "-o", "/tmp/x"], folder: "/tmp", createdAt: .now())]
    for change: (inout Job) -> Void in [
      { $0.command = ["forget"] }, { $0.command = ["check", ""] }, { $0.folder = "/" },
      { $0.createdAt.milliseconds += 1 }, { $0.seal = "" }, { $0.seal?.removeLast() },
    ] {
      var job = Job(kind: .command, command: own.command, folder: own.folder, createdAt: own.createdAt)
      job.seal = own.seal
      change(&job)
      jobs.append(job)
    }
    // Of the same user in another project, and of another user.
    let other = try Session.create(
      ProjectFolder(path: folder.path("Other.daw")), settings: ProjectSettings(name: Name("Other")), origin: origin)
    defer { other.close() }
    jobs.append(try other.enqueue(["check"], in: "/tmp", environment: environment))
    jobs.append(try other.enqueue(["check"], in: "/tmp", environment: ["XDG_DATA_HOME": folder.path("b")]))
    for index in jobs.indices { jobs[index].id = JobID(rawValue: 0) }
    let added = try session.work.add(jobs)
    try worker(folder.path("program")).run(.ready, atOnce: 1)
    for job in added {
      let ended = try session.work.job(job.id)
      #expect(ended?.state == .failed && ended?.lastError?.contains("another user") == true, "\(job)")
    }
    let lines = try String(contentsOfFile: folder.path("log"), encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix("check") }, "\(lines)")
    // Only the user can read the key.
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("daw/queue-key"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    chmod(folder.path("daw/queue-key"), 0o644)
    #expect(throws: Failure.self) { try session.enqueue(["check"], in: "/tmp", environment: environment) }
  }

  @Test("Where the key of the queue cannot be made, the reason is said in plain words")
  func keyWithoutFolder() throws {
    try folder.write([], to: "file")
    let environment = ["XDG_DATA_HOME": folder.path("file")]
    let failure = try #require(throws: Failure.self) {
      try session.enqueue(["check"], in: "/tmp", environment: environment)
    }
    #expect(failure.kind == .cannotCreate && failure.code == "queueKey")
    #expect(
      failure.message
        == "The key of the queue cannot be made in '\(folder.path("file"))/daw': Not a directory. Nothing was changed.")
  }

  @Test("What came with the project is given to no engine, until the user puts it into the queue")
  func foreignSound() throws {
    try bringIn(tone(31))
    try script("script", "echo x >>'\(folder.path("log"))'; echo '{\"text\": \"hello\"}'")
    let own = try queue()
    _ = try session.work.change(own[0].id, of: nil, keeping: nil) {
      $0.seal = nil
      return true
    }
    let other = ["XDG_DATA_HOME": folder.path("b")]
    _ = try session.transcribe(
      ["speech.wav"], by: engines.engine(named: "script"), fallback: nil, language: "en", environment: other)
    try worker().run(.ready, atOnce: 1)
    let ended = try session.work.jobs(JobFilter()).jobs
    #expect(
      ended.count == 2 && ended.allSatisfy { $0.state == .failed && $0.lastError?.contains("another user") == true })
    #expect(!FileManager.default.fileExists(atPath: folder.path("log")))
    #expect(try session.retry(ended[0].id, environment: environment)?.state == .pending)
    #expect(try queue().map(\.id).last != ended[1].id)
    try worker().run(.ready, atOnce: 1)
    #expect(try session.work.counts().byState == [.completed: 2, .failed: 1])
  }

  @Test("What waits for one engine is done by the one that is asked for last, at once")
  func anotherEngine() throws {
    try bringIn(tone(31))
    try script("away", "exit 69")
    try script("script", "echo '{\"text\": \"hello\"}'")
    let first = try queue(["speech.wav"], "away")
    try worker().run(.ready, atOnce: 1)
    #expect(try session.work.counts() == JobCounts(byState: [.pending: 2], offline: 2))
    let second = try queue()
    #expect(second.map(\.id) == first.map(\.id) && second.allSatisfy { $0.engine == "script" && !$0.isOffline })
    try worker().run(.ready, atOnce: 1)
    #expect(try entries().map(\.text) == ["hello", "hello"])
  }

  @Test("A sound that is named twice is one job for each of its pieces")
  func namedTwice() throws {
    try bringIn(tone(31))
    try script("script", "echo '{\"text\": \"hello\"}'")
    let jobs = try queue(["speech.wav", "speech.wav"])
    #expect(jobs.count == 2 && Set(jobs.map(\.id)).count == 2)
    #expect(try session.work.counts().byState == [.pending: 2])
  }

  @Test("Once a day what is too old is a job, where the project says what that is; the scope 'all' is left to a person")
  func retention() throws {
    let time = Mutex(Timestamp(milliseconds: 1_000_000_000_000))
    func work(_ retention: Retention, hours: Int64) throws -> Int {
      var change = Change<ProjectSettings>()
      change.set(\.retention, to: retention)
      _ = try session.edit(origin) { try $0.setProject(change) }
      time.withLock { $0.milliseconds += hours * 3_600_000 }
      try worker { time.withLock { $0 } }.run(.ready, atOnce: 2, retainsDaily: true)
      return try session.work.jobs(JobFilter(states: [.completed], word: "retain")).jobs.count
    }
    var on = Retention()
    #expect(try work(on, hours: 0) == 0)
    on.recordings = Days(90)
    #expect(try work(on, hours: 0) == 1)
    #expect(try work(on, hours: 23) == 1)
    #expect(try work(on, hours: 2) == 2)
    // The clock is set back by a year.
    #expect(try work(on, hours: -8_760) == 3)
    #expect(try work(on, hours: 23) == 3)
    on.scope = .all
    #expect(try work(on, hours: 48) == 3)
    #expect(try session.work.jobs(JobFilter(word: "retain")).jobs[0].command == ["retain"])
  }

  @Test("What a person says counts, also when the sound is transcribed again; undo takes it back")
  func ownText() throws {
    try script("script", #"echo '{"word":"hullo","start":0,"end":1}'"#)
    try bringIn(tone(2))
    _ = try queue()
    try worker().run(.idle)
    let id = try entries()[0].transcript.id
    _ = try session.edit(origin) { try $0.setTranscript(id.uuidString, text: " Hello. ") }
    #expect(try entries()[0].text == "Hello." && entries()[0].transcript.text == "hullo")
    try script("script", #"echo '{"word":"yellow","start":0,"end":1}'"#)
    _ = try queue()
    try worker().run(.idle)
    let again = try entries()[0]
    #expect(again.transcript.id == id && again.text == "Hello." && again.transcript.text == "yellow")
    #expect(try session.read { try $0.work.earlier(than: again.transcript) }.map(\.text) == ["hullo"])
    _ = try session.store.undo(origin: origin)
    #expect(try entries()[0].text == "yellow")
  }
}
