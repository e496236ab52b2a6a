import DAWTestSupport
import Foundation
import Testing

/// `daw transcribe` and `daw work`, with an engine that is a script.
@Suite("Jobs of a project")
struct WorkCommandTests {
  private struct Queue: Decodable {
    var status: String
    var counts: [String: Int]
  }

  private struct Transcripts: Decodable {
    struct Entry: Decodable { var text: String }
    var transcripts: [Entry]
    var hasMore: Bool
  }

  @Test("Workers that are killed at any time lose no job, and none is done twice")
  func killedWorkers() throws {
    let folder = try TemporaryFolder()
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try FileManager.default.createDirectory(atPath: folder.path("daw/engines"), withIntermediateDirectories: true)
    let script = folder.path("engine.sh")
    try folder.write(
      Array("#!/bin/sh\nsleep 0.05\necho '{\"word\":\"hello\",\"start\":1.5,\"end\":2}'\n".utf8), to: "engine.sh")
    chmod(script, 0o700)
    try folder.write(Array("{\"command\": [\"\(script)\", \"{input}\"]}".utf8), to: "daw/engines/script.json")
    // Ten ranges of 30 s, and not silent.
    let frames = 8_000 * 290
    try PlainWave.write(
      [(0..<frames).map { ($0 % 50 - 25) * 500 }], bits: 16, rate: 8_000,
      to: URL(fileURLWithPath: folder.path("s.wav")))
    let environment = ["XDG_CONFIG_HOME": folder.path]
    let daw = DAWProgram(folder: URL(fileURLWithPath: folder.path), environment: environment)
    _ = try daw("new", "Song")
    _ = try daw("import", "s.wav")
    #expect(try daw("transcribe", "s", "--engine", "script", "-q").text.split(separator: "\n").count == 10)
    #expect(try daw("queue").line == "Queued (10)")
    for _ in 0..<8 {
      let workers = try (0..<2).map { _ in try daw.start(["work", "--at-once", "2"]) }
      usleep(UInt32.random(in: 30_000...500_000, using: &generator))
      for worker in workers { kill(worker.process.processIdentifier, SIGKILL) }
      for worker in workers { _ = worker.finish() }
    }
    // What was lost more than five times has failed, and is not lost.
    for _ in 0..<5 {
      _ = try daw.run(["work", "--until-idle"])
      let failed = try daw("list-jobs", "--state", "failed", "-q").text.split(separator: "\n").map(String.init)
      if failed.isEmpty { break }
      _ = try daw.run(["retry-job"] + failed)
    }
    let queue = try daw("queue", "--json").json(Queue.self)
    #expect(queue.status == "Ready" && queue.counts["completed"] == 10, "seed \(seed): \(queue)")
    let found = try daw("list-transcripts", "--json").json(Transcripts.self)
    #expect(found.transcripts.map(\.text) == Array(repeating: "hello", count: 10), "seed \(seed)")
    let check = try daw.run(["check"])
    #expect(check.status == 0, "seed \(seed): \(check.text)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("Song.daw/Cache"))
    #expect(!left.contains { $0.hasPrefix(".scratch") }, "\(left)")
  }

  private struct Segment: Decodable, Equatable {
    var segmentIndex: Int
    var processingStatus, lastError, text: String?
    var retryCount: Int?
    var confidence: Double?
  }

  private struct Recording: Decodable {
    var isProcessed: Bool
  }

  @Test("Each segment of a recording says how far its transcription is, and the recording when all are done")
  func segments() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "COLUMNS": "60"])
      try daw("new", "Song")
      try daw("add-track", "Vox")
      try daw.sqlite(
        """
        INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
          VALUES (1, 1000, 1000, 6000, 1, 240000, 48000, 'Audio/Recordings/A');
        INSERT INTO pass (id, recording, track, number, startTime, firstHostFrame, frames)
          SELECT 2, 1, id, 1, 1000, 0, 240000 FROM track WHERE name = 'Vox';
        WITH five(i) AS (VALUES (0), (1), (2), (3), (4))
          INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, createdAt, state)
          SELECT 2, i, i * 48000, 48000, 'Audio/Recordings/A/' || i || '.wav', 1000, 'sealed' FROM five;
        INSERT INTO transcript (id, pass, segmentIndex, startFrame, frames, sampleRate, text, confidence, engine, createdAt)
          VALUES (21, 2, 0, 0, 48000, 48000, 'good morning', 0.9, 'e', 1000),
            (22, 2, 1, 48000, 48000, 48000, 'could mourning', 0.4, 'e', 1000),
            (23, 2, 2, 96000, 48000, 48000, '', NULL, NULL, 1000);
        INSERT INTO job (id, kind, pass, segmentIndex, startFrame, frames, sampleRate, state, retryCount, lastError, engine,
            nextAttempt, createdAt)
          VALUES (31, 'transcribe', 2, 1, 48000, 48000, 48000, 'completed', 1, 'Out of memory.', 'e', 0, 1000),
            (32, 'transcribe', 2, 3, 144000, 48000, 48000, 'retrying', 2, 'Out of memory.', 'e', 0, 1000);
        """)
      func segments(_ options: String...) throws -> [Segment] {
        try daw.run(["list-segments", name(), "--json"] + options).json([Segment].self)
      }
      func name() throws -> String { try daw("list-recordings", "-q").line }
      #expect(
        try segments() == [
          Segment(segmentIndex: 0, processingStatus: "completed", text: "good morning", confidence: 0.9),
          Segment(
            segmentIndex: 1, processingStatus: "completed", lastError: "Out of memory.", text: "could mourning",
            retryCount: 1, confidence: 0.4),
          Segment(segmentIndex: 2, processingStatus: "completed", text: ""),
          Segment(segmentIndex: 3, processingStatus: "retrying", lastError: "Out of memory.", retryCount: 2),
          Segment(segmentIndex: 4),
        ])
      #expect(try segments("--confidence-below", "0.6").map(\.segmentIndex) == [1])
      #expect(try segments("--confidence-below", "0").isEmpty)
      #expect(try daw("list-segments", name(), "--confidence-below", "0").line == "No such segments.")
      #expect(try daw.run(["list-segments", name(), "--confidence-below", "1.5"]).status == 64)
      #expect(try daw("list-segments", name()).text.split(separator: "\n").allSatisfy { $0.count <= 60 })
      var wide = daw
      wide.environment["COLUMNS"] = "100"
      let lines = try wide("list-segments", name()).text.split(separator: "\n")
      #expect(lines[0].contains("text, 90 %"), "\(lines)")
      #expect(lines[2].contains("nothing said") && lines[3].contains("retrying"))
      #expect(try !daw("show-recording", name(), "--json").json(Recording.self).isProcessed)
      let transcripts = try daw("list-transcripts", "-q").text.split(separator: "\n").map(String.init)
      try daw("set-transcript", transcripts[1], "--text", "Could.")
      #expect(try segments()[1].text == "Could.")
      // The last one was never asked for; then all have ended.
      try daw.sqlite("UPDATE job SET state = 'failed', retryCount = 5 WHERE id = 32")
      #expect(try !daw("show-recording", name(), "--json").json(Recording.self).isProcessed)
      try daw.sqlite("DELETE FROM segment WHERE segmentIndex = 4")
      #expect(try daw("show-recording", name(), "--json").json(Recording.self).isProcessed)
    }
  }
}
