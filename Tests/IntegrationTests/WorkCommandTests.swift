import DAWTestSupport
import Foundation
import Testing

/// `daw transcribe` and `daw work`, with engines that are scripts.
@Suite("Jobs of a project")
struct WorkCommandTests {
  private struct Queue: Decodable {
    var status: String
    var counts: [String: Int]
  }

  private struct Jobs: Decodable {
    struct Job: Decodable {
      var id: String
      var state: String
      var retryCount: Int
      var lastError: String?
      var isOffline: Bool
      var engine: String?
      var nextAttempt: String?
    }
    var jobs: [Job]
  }

  private struct Transcripts: Decodable {
    struct Entry: Decodable { var text: String }
    var transcripts: [Entry]
  }

  /// A project with a sound of which nothing is silent.
  private func speech(ranges: Int = 10, _ body: (DAWProgram, TemporaryFolder) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("daw/engines"), withIntermediateDirectories: true)
    try PlainWave.write(
      [(0..<8_000 * (30 * ranges - 10)).map { ($0 % 50 - 25) * 500 }], bits: 16, rate: 8_000,
      to: URL(fileURLWithPath: folder.path("s.wav")))
    let daw = DAWProgram(
      folder: URL(fileURLWithPath: folder.path), environment: ["XDG_CONFIG_HOME": folder.path, "DAW_PROJECT": "Song"])
    try engine("script", "sleep 0.05; " + Self.hello, in: folder)
    try daw("new", "Song")
    try daw("import", "s.wav")
    try body(daw, folder)
  }

  @Test("What takes no project, names one itself, or cannot be read is refused at once, since no job can do it")
  func uselessCommands() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_DATA_HOME": folder.path])
      try daw("new", "Song")
      for command in [
        ["copy", "Song", "Other"], ["new", "Other"], ["list-projects"], ["work"], ["nonsense"],
        ["check", "-p", "Other"], ["bounce", "--nonsense"], ["bounce", "-o"], ["check", "--help"], ["move-track", "A"],
      ] {
        let refused = try daw.run(["enqueue", "--"] + command)
        #expect(refused.status == 64, "\(command): \(refused.error)")
      }
      for command in [
        ["batch", "-"], ["batch"], ["batch", "/dev/stdin"], ["add-comment", "-"], ["export", "-o", "-"],
        ["bounce", "-o", "-"], ["bounce", "-o", "/dev/stdout"], ["set-recording", "A", "--notes", "-"],
      ] {
        let refused = try daw.run(["enqueue", "--json", "--"] + command)
        #expect(
          refused.status == 64 && refused.error.contains("\"standardInputInUse\""), "\(command): \(refused.error)")
      }
      try daw("enqueue", "backup")
      #expect(try jobs(daw).count == 1)
    }
  }

  @Test("A long command is cut in the list of jobs, and whole in its JSON")
  func longCommand() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_DATA_HOME": folder.path])
      try daw("new", "Song")
      let long = String(repeating: "x", count: 10_000)
      try daw("enqueue", "batch", long)
      try daw("enqueue", "backup")
      let lines = try daw("list-jobs").text.split(separator: "\n")
      #expect(lines.count == 2 && lines.allSatisfy { $0.count < 400 }, "\(lines.map(\.count))")
      #expect(try daw("list-jobs", "--json").text.contains(long))
    }
  }

  @Test("Jobs are listed by their states, and in pages")
  func states() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song", "XDG_DATA_HOME": folder.path])
      try daw("new", "Song")
      for command in ["backup", "check", "clean"] { try daw("enqueue", command) }
      let ids = try jobs(daw).map(\.id)
      try #require(ids.count == 3)
      try daw("cancel-job", ids[1])
      func listed(_ options: String...) throws -> [String] {
        try daw.run(["list-jobs", "-q"] + options).text.split(separator: "\n").map(String.init)
      }
      #expect(try listed("--state", "cancelled") == [ids[1]])
      #expect(try listed("--state", "pending") == [ids[0], ids[2]])
      #expect(try listed("--state", "pending", "--state", "cancelled") == ids)
      #expect(try listed("--state", "failed").isEmpty)
      #expect(try listed("--limit", "2", "--page", "2") == [ids[2]])
      #expect(try daw("list-jobs", "--limit", "2").text.contains("There are more; see --page."))
      #expect(try daw.run(["list-jobs", "--state", "done"]).status == 64)
    }
  }

  private static let hello = #"echo '{"word":"hello","start":1.5,"end":2}'"#

  private func engine(_ name: String, _ script: String, in folder: TemporaryFolder) throws {
    try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "\(name).sh")
    chmod(folder.path("\(name).sh"), 0o700)
    let settings = "{\"command\": [\"\(folder.path("\(name).sh"))\", \"{input}\"], \"rate\": 8000}"
    try folder.write(Array(settings.utf8), to: "daw/engines/\(name).json")
  }

  private func jobs(_ daw: DAWProgram) throws -> [Jobs.Job] {
    try daw("list-jobs", "--limit", "10000", "--json").json(Jobs.self).jobs
  }

  /// What a query finds in the project's file, a line each.
  private func rows(_ query: String, _ daw: DAWProgram) throws -> [String] {
    try DAWProgram(path: "/usr/bin/sqlite3", folder: daw.folder)("-readonly", "Song.daw/project.sqlite", query).text
      .split(separator: "\n").map(String.init)
  }

  /// Tries everything again until nothing is left to be done.
  private func finish(_ daw: DAWProgram) throws {
    for _ in 0..<5 {
      let open = try jobs(daw).filter { ["failed", "retrying"].contains($0.state) && $0.engine == "script" }.map(\.id)
      if !open.isEmpty { _ = try daw.run(["retry-job"] + open) }
      _ = try daw.run(["work", "--until-idle"])
      if try jobs(daw).allSatisfy({ $0.engine != "script" || ["completed", "cancelled"].contains($0.state) }) {
        return
      }
    }
  }

  private func expectNothingLeft(in folder: TemporaryFolder, _ comment: Testing.Comment) throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("Song.daw/Cache"))
    #expect(!left.contains { $0.hasPrefix(".scratch") }, comment)
  }

  private static let points = ProcessInfo.processInfo.environment["DAW_AUDIT_COUNT"].flatMap { Int($0) } ?? 20

  @Test("Two workers that are killed at any point lose no job, and none is done twice in the rows")
  func killedWorkers() throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try speech { daw, folder in
      try engine("picky", "exit 65", in: folder)
      try engine("away", "exit 69", in: folder)
      for name in ["picky", "away"] {
        try daw("transcribe", "s", "--engine", name, "-q")
        try daw("work")
      }
      #expect(try rows("SELECT DISTINCT engine || state FROM job ORDER BY 1", daw) == ["awaypending", "pickyfailed"])
      for job in try jobs(daw) where job.engine == "away" { try daw("cancel-job", job.id) }
      var known = 20
      for point in 0..<Self.points {
        let comment: Testing.Comment = "seed \(seed), point \(point)"
        if try rows("SELECT 1 FROM job WHERE state = 'pending'", daw).count < 4 {
          try daw("transcribe", "s", "--engine", "script", "-q")
          known = try jobs(daw).count
        }
        let workers = try (0..<2).map { _ in try daw.start(["work", "--at-once", "2"]) }
        let pause = UInt32.random(in: 1_000...300_000, using: &generator)
        for worker in workers {
          usleep(pause / 2)
          worker.kill()
        }
        for worker in workers { _ = worker.finish() }
        // Each job that was done has brought one transcript; what it replaced is there as well.
        let done = try rows("SELECT count(*) FROM job WHERE kind = 'transcribe' AND state = 'completed'", daw)
        #expect(try rows("SELECT count(*) FROM transcript", daw) == done, comment)
        #expect(try rows("SELECT count(*) FROM job", daw) == ["\(known)"], comment)
        let current = "SELECT count(*) FROM transcript WHERE isCurrent = 1 GROUP BY startFrame HAVING count(*) > 1"
        #expect(try rows(current, daw) == [], comment)
      }
      try finish(daw)
      let all = try jobs(daw)
      #expect(all.count == known && all.allSatisfy { $0.engine != "script" || $0.state == "completed" }, "seed \(seed)")
      #expect(all.filter { $0.engine == "picky" }.allSatisfy { $0.state == "failed" && $0.retryCount == 0 })
      #expect(all.filter { $0.engine == "away" }.allSatisfy { $0.state == "cancelled" && $0.retryCount == 0 })
      let found = try daw("list-transcripts", "--json").json(Transcripts.self)
      #expect(found.transcripts.map(\.text) == Array(repeating: "hello", count: 10), "seed \(seed)")
      #expect(try daw.run(["check"]).status == 0)
      try expectNothingLeft(in: folder, "seed \(seed)")
    }
  }

  @Test("A job that is cancelled already stays as it is, which the JSON says as the text does")
  func cancelledTwice() throws {
    struct Result: Decodable {
      var jobs: [Jobs.Job]
      var unchanged: [String]
    }
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let job = try daw("enqueue", "backup", "-q").line
      for isFirst in [true, false] {
        let result = try daw("cancel-job", job, "--json").json(Result.self)
        #expect(result.jobs.map(\.id) == (isFirst ? [job] : []) && result.unchanged == (isFirst ? [] : [job]))
      }
    }
  }

  @Test("A worker that is killed and started again goes on with each job in its state")
  func eachState() throws {
    try speech { daw, folder in
      let mark = folder.path("mark")
      try engine("script", "touch '\(mark)'; sleep 600", in: folder)
      let all = try daw("transcribe", "s", "--engine", "script", "-q").text.split(separator: "\n").map(String.init)
      try daw("cancel-job", all[9])
      func job(_ id: String) throws -> Jobs.Job { try #require(try jobs(daw).first { $0.id == id }) }
      // Pending, and processing.
      let worker = try daw.start(["work", "--at-once", "1"])
      while !FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
      #expect(try job(all[0]).state == "processing" && job(all[1]).state == "pending")
      worker.kill()
      _ = worker.finish()
      #expect(try job(all[0]).state == "processing")
      try engine("script", Self.hello, in: folder)
      // The job that was under way waits for a second; nothing else is left then.
      try daw("work")
      let lost = try job(all[0])
      #expect(["retrying", "completed"].contains(lost.state) && lost.retryCount == 1)
      #expect(lost.lastError == "The process that worked on it ended.")
      try daw("work", "--until-idle")
      #expect(try job(all[0]).state == "completed" && job(all[0]).retryCount == 1)
      let before = try rows("SELECT id, text, createdAt FROM transcript ORDER BY id", daw)
      #expect(before.count == 9)
      // Retrying, failed, completed and cancelled, with a worker that is at the next job.
      try FileManager.default.removeItem(atPath: mark)
      try engine("weak", "[ -e '\(mark)' ] && touch '\(mark).2' && sleep 600; touch '\(mark)'; exit 1", in: folder)
      let weak = try #require(
        try daw("transcribe", "s", "--engine", "weak", "-q").text.split(separator: "\n").map(String.init).first)
      let watching = try daw.start(["work", "--watch", "--at-once", "1"])
      while !FileManager.default.fileExists(atPath: mark + ".2") { usleep(10_000) }
      watching.kill()
      _ = watching.finish()
      for other in try jobs(daw) where other.engine == "weak" && other.id != weak { try daw("cancel-job", other.id) }
      let waiting = try job(weak)
      #expect(waiting.state == "retrying" && waiting.retryCount == 1 && waiting.nextAttempt != nil)
      try engine("weak", "exit 65", in: folder)
      try daw("work", "--until-idle")
      #expect(try job(weak).state == "failed" && job(weak).retryCount == 1)
      for _ in 0..<2 {
        let idle = try daw.start(["work", "--watch"])
        usleep(200_000)
        idle.kill()
        _ = idle.finish()
      }
      #expect(try job(weak).state == "failed" && job(all[9]).state == "cancelled" && job(all[0]).state == "completed")
      #expect(try rows("SELECT id, text, createdAt FROM transcript ORDER BY id", daw) == before)
      #expect(try daw("queue").line == "Ready")
      try daw("check")
    }
  }

  @Test(
    "A disk that is full at any write of a worker costs an attempt at most, and no job",
    arguments: ["write", "pwrite64"])
  func fullDisk(call: String) throws {
    let seed = Seed.current()
    var generator = SeededGenerator(seed: seed)
    try speech(ranges: 2) { daw, folder in
      let trace = folder.path("trace")
      var number = 1
      var failures = 0
      var known = 0
      while true {
        if try rows("SELECT 1 FROM job WHERE state IN ('pending', 'processing', 'retrying')", daw).isEmpty {
          try daw("transcribe", "s", "--engine", "script", "-q")
          known = try jobs(daw).count
        }
        let strace = DAWProgram(path: "/usr/bin/strace", folder: daw.folder, environment: daw.environment)
        let running = try strace.start(
          [
            "-f", "-qq", "-o", trace, "-e", "trace=\(call)", "-e", "inject=\(call):error=ENOSPC:when=\(number)",
            DAWProgram.path, "work", "--until-idle", "--at-once", "1",
          ])
        let output = running.finish()
        #expect(output.signal == nil && [0, 74].contains(output.status), "\(call) \(number): \(output.error)")
        let done = try rows("SELECT count(*) FROM job WHERE kind = 'transcribe' AND state = 'completed'", daw)
        #expect(try rows("SELECT count(*) FROM transcript", daw) == done, "\(call) \(number)")
        #expect(try rows("SELECT count(*) FROM job", daw) == ["\(known)"], "\(call) \(number)")
        guard try String(contentsOfFile: trace, encoding: .utf8).contains("(INJECTED)") else { break }
        failures += 1
        // Of plain writes there are few.
        number += call == "write" ? 1 : Int.random(in: 1...9, using: &generator)
      }
      #expect(failures > (call == "write" ? 1 : 5), "only \(failures) calls failed")
      try finish(daw)
      #expect(try jobs(daw).allSatisfy { $0.state == "completed" })
      try daw("check")
      try expectNothingLeft(in: folder, "\(call)")
    }
  }
}
