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
    #expect(try daw.run(["check"]).status == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("Song.daw/Cache"))
    #expect(!left.contains { $0.hasPrefix(".scratch") }, "\(left)")
  }
}
