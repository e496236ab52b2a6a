import DAWTestSupport
import Foundation
import Testing

@Suite("Summaries through the command line")
struct SummaryCommandTests {
  private struct Shown: Decodable {
    struct Summary: Decodable {
      var text, engine: String
    }
    var summary: Summary?
    var summaryFailed: Bool
  }

  private struct Engines: Decodable {
    struct Engine: Decodable, Equatable {
      var name: String
      var task: String?
    }
    var engines: [Engine]
  }

  private struct Jobs: Decodable {
    struct Job: Decodable {
      var kind, state: String
      var recording: String?
      var retryCount: Int
    }
    var jobs: [Job]
  }

  /// A project with the recordings "Verse", of which one segment of two is transcribed, and "Chorus", of which none is.
  private func song(_ body: (DAWProgram, TemporaryFolder) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("daw/engines"), withIntermediateDirectories: true)
    let daw = DAWProgram(
      folder: URL(fileURLWithPath: folder.path),
      environment: ["XDG_CONFIG_HOME": folder.path, "DAW_PROJECT": "Song", "COLUMNS": "60"])
    try daw("new", "Song")
    try daw("add-track", "Vox")
    try daw.sqlite(
      """
      INSERT INTO recording (id, createdAt, startTime, endTime, isCompleted, duration, sampleRate, folder)
        VALUES (11184811, 1000, 1000, 3000, 1, 96000, 48000, 'Audio/Recordings/A'),
          (11184812, 2000, 2000, 3000, 1, 48000, 48000, 'Audio/Recordings/B');
      INSERT INTO pass (id, recording, track, number, startTime, firstHostFrame, frames)
        SELECT 2, 11184811, id, 1, 1000, 0, 96000 FROM track WHERE name = 'Vox';
      INSERT INTO segment (pass, segmentIndex, startFrame, frames, path, createdAt, state)
        VALUES (2, 0, 0, 48000, 'Audio/Recordings/A/0.wav', 1000, 'sealed'),
          (2, 1, 48000, 48000, 'Audio/Recordings/A/1.wav', 1000, 'sealed');
      INSERT INTO transcript (id, pass, segmentIndex, startFrame, frames, sampleRate, text, engine, createdAt)
        VALUES (21, 2, 0, 0, 48000, 48000, 'good morning', 'e', 1000);
      """)
    // Of no other use than to be there.
    let recording = folder.path("Song.daw/Audio/Recordings/A")
    try FileManager.default.createDirectory(atPath: recording, withIntermediateDirectories: true)
    for name in ["0.wav", "1.wav"] { try Data().write(to: URL(fileURLWithPath: "\(recording)/\(name)")) }
    try daw("set-recording", "aaaaab", "--title", "Verse")
    try daw("set-recording", "aaaaac", "--title", "Chorus")
    try body(daw, folder)
  }

  private func engine(_ name: String, _ script: String, in folder: TemporaryFolder) throws {
    try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: "\(name).sh")
    chmod(folder.path("\(name).sh"), 0o700)
    try folder.write(
      Array("{\"command\": [\"\(folder.path("\(name).sh"))\"], \"task\": \"summarize\"}".utf8),
      to: "daw/engines/\(name).json")
  }

  private func shown(_ daw: DAWProgram) throws -> Shown {
    try daw("show-recording", "Verse", "--json").json(Shown.self)
  }

  @Test("A summary is asked for by hand, shown, searched, and replaced")
  func byHand() throws {
    try song { daw, folder in
      try engine(
        "llama",
        "cat >'\(folder.path("said"))'; printf 'They greet\\nthe \\033[31mmorning, at some length, so that a line is full.'",
        in: folder)
      #expect(try shown(daw).summary == nil && !shown(daw).summaryFailed)
      let made = try daw("summarize", "verse", "--engine", "llama", "--wait")
      #expect(made.text.hasPrefix("They greet\nthe"), "\(made.text)")
      let said = try String(contentsOfFile: folder.path("said"), encoding: .utf8)
      #expect(
        said.contains("\"text\":\"good morning\"") && said.contains("\"title\":\"Verse\"") && !said.contains("comments")
      )
      #expect(try shown(daw).summary?.engine == "llama")
      let text = try daw("show-recording", "Verse").text
      #expect(text.contains("summary by llama:\n  They greet\n  the") && !text.contains("\u{1b}[31m"), "\(text)")
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 60 }, "\(text)")
      #expect(try daw("search", "length", "--kind", "summary").text.contains("length"))
      try engine("llama", "echo Shorter.", in: folder)
      let job = try daw("summarize", "Verse", "--engine", "llama", "-q").line
      #expect(try daw("summarize", "Verse", "--engine", "llama", "-q").line == job)
      #expect(try daw("show-recording", "Verse").text.contains("A summary is in the queue."))
      #expect(try daw("list-jobs").text.contains("summarize"))
      #expect(try daw("list-jobs", "--json").text.contains("\"source\" : \"recording 'Verse'\""))
      try daw("work")
      #expect(try shown(daw).summary?.text == "Shorter." && !daw("search", "length").text.contains("length,"))
      // Undo takes the title away and leaves the summary.
      try daw("undo")
      #expect(try shown(daw).summary?.text == "Shorter.")
      try daw("check")
    }
  }

  @Test("A summary that failed is said so; the earlier one stays")
  func failed() throws {
    try song { daw, folder in
      try engine("llama", "echo First.", in: folder)
      try daw("summarize", "Verse", "--engine", "llama", "--wait")
      try engine("llama", "echo 'no model' >&2; exit 65", in: folder)
      let output = try daw.run(["summarize", "Verse", "--engine", "llama", "--wait", "--json"])
      #expect(output.status == 65 && (output.text + output.error).contains("summaryFailed"), "\(output)")
      #expect(try shown(daw).summaryFailed && shown(daw).summary?.text == "First.")
      #expect(try daw("show-recording", "Verse").text.contains("The summary failed:"))
      try engine("llama", "exit 69", in: folder)
      #expect(try daw.run(["summarize", "Verse", "--engine", "llama", "--wait"]).status == 69)
      #expect(try !shown(daw).summaryFailed)
    }
  }

  @Test("What cannot be summarized, or by that engine, changes nothing")
  func badInput() throws {
    try song { daw, folder in
      try engine("llama", "echo x", in: folder)
      let before = try daw("list-jobs", "--json").text
      for (words, status, code) in [
        (["summarize", "Verse"], 66, "engineNotFound"),
        (["summarize", "Verse", "--engine", "lama"], 66, "engineNotFound"),
        (["summarize", "Verse", "--engine", "pocketsphinx"], 65, "engineTask"),
        (["summarize", "Verse", "--engine", "llama", "--fallback", "pocketsphinx"], 65, "engineTask"),
        (["summarize", "Vers", "--engine", "llama"], 66, "recordingNotFound"),
        (["summarize", "Chorus", "--engine", "llama"], 65, "notTranscribed"),
        (["transcribe", "Verse", "--engine", "llama"], 65, "engineTask"),
        (["transcribe", "Verse", "--fallback", "llama"], 65, "engineTask"),
        (["summarize"], 64, "usage"),
      ] {
        let output = try daw.run(words + ["--json"])
        #expect(
          output.status == status && output.text.contains("\"\(code)\"") || output.error.contains("\"\(code)\""),
          "\(words): \(output)")
        #expect(output.status == status, "\(words): \(output)")
      }
      #expect(try daw("list-jobs", "--json").text == before)
      #expect(
        try daw("list-engines", "--json").json(Engines.self).engines == [
          .init(name: "llama", task: "summarize"), .init(name: "pocketsphinx", task: "transcribe"),
        ])
      #expect(try daw("list-engines").text.contains("summarize"))
      try folder.write(Array("{".utf8), to: "daw/engines/broken.json")
      let listed = try daw.run(["list-engines"])
      #expect(listed.status == 0 && listed.text.contains("unusable") && !listed.text.contains("JSON"))
      #expect(listed.error.contains("broken.json' cannot be used: it is no JSON object."))
      try folder.write(Array(#"{"summaryEngine": "llama"}"#.utf8), to: "daw/settings.json")
      #expect(try daw("summarize", "Verse", "--wait").line == "x")
    }
  }

  @Test("A worker that is killed while an engine writes leaves no half of a summary; the next one does it once")
  func killed() throws {
    try song { daw, folder in
      let mark = folder.path("mark")
      try engine("llama", "echo half; touch '\(mark)'; sleep 600", in: folder)
      try daw("summarize", "Verse", "--engine", "llama")
      let worker = try daw.start(["work"])
      while !FileManager.default.fileExists(atPath: mark) { usleep(10_000) }
      worker.kill()
      _ = worker.finish()
      #expect(try shown(daw).summary == nil)
      try engine("llama", "echo x >>'\(folder.path("asked"))'; echo Whole.", in: folder)
      let workers = try (0..<2).map { _ in try daw.start(["work", "--until-idle"]) }
      for worker in workers { #expect(worker.finish().status == 0) }
      #expect(try shown(daw).summary?.text == "Whole.")
      let jobs = try daw("list-jobs", "--json").json(Jobs.self).jobs
      #expect(jobs.map(\.state) == ["completed"] && jobs[0].retryCount == 1 && jobs[0].kind == "summarize")
      #expect(try String(contentsOfFile: folder.path("asked"), encoding: .utf8) == "x\n")
    }
  }
}
