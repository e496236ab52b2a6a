import DAWMedia
import DAWTestSupport
import Foundation
import Glibc
import Testing

extension PlayTests.Recording {
  @Test("What another client sends leaves the master's port in the cycle in which it comes in")
  func heard() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      try stage.daw("-p", "Song", "set-track", "Vox", "--monitor", "input")
      let capture = try CaptureClient(server: stage.server.name)
      let player = try LivePlayer(
        stage.daw, "Song", on: stage.server, command: "record", options: ["--no-connect", "--stopped"])
      // Side by side: what we send, and what came in.
      #expect(capture.connect("\(player.client):out_1", "\(stage.numbers.name):out_1"))
      /// The share of the frames that leave as they come in.
      func equal() -> Double {
        capture.startRecording()
        usleep(500_000)
        let (sent, arrived, _) = capture.recording()
        return Double(zip(sent, arrived).count { $0 == $1 && $1 != 0 }) / Double(max(1, sent.count))
      }
      // A server that is late for a cycle has another one's samples.
      #expect(equal() > 0.9, "stopped: \(player.said)")
      try player.transport("start")
      #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
      #expect(equal() > 0.9, "rolling: \(player.said)")
      try stage.daw("-p", "Song", "set-track", "Vox", "--monitor", "off")
      #expect(player.wait { !player.events("edited").isEmpty }, "\(player.said)")
      usleep(100_000)
      #expect(equal() < 0.01, "off: \(player.said)")
      try stage.daw("-p", "Song", "set-track", "Vox", "--monitor", "auto")
      #expect(player.wait { player.events("edited").count > 1 }, "\(player.said)")
      usleep(100_000)
      #expect(equal() > 0.9, "auto, recording: \(player.said)")
      try player.transport("record", "off")
      usleep(100_000)
      #expect(equal() < 0.01, "auto, not recording: \(player.said)")
      try player.transport("stop")
      usleep(100_000)
      #expect(equal() > 0.9, "auto, stopped: \(player.said)")
      try player.transport("quit")
      #expect(player.finish().status == 0)
    }
  }

  @Test(
    "A title that no recording may have is refused before anything is recorded",
    arguments: [" Verse", "Verse ", String(repeating: "x", count: 256)])
  func badTitle(title: String) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try daw("new", "Song")
      for words in [[], ["--dry-run"]] {
        let output = try daw.run(["record", "-p", "Song", "--server", "nowhere", "--title", title] + words)
        #expect(output.status == 65 && output.error.contains("Not accepted: a title"), "\(output.error)")
      }
    }
  }

  @Test("For MIDI alone no time is said for which the disk has room")
  func dryRunOfMIDI() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let server = try JackServer()
      try daw("new", "Song")
      try daw("-p", "Song", "add-track", "Keys", "--type", "midi")
      try daw("-p", "Song", "set-track", "Keys", "--arm")
      let words = ["-p", "Song", "record", "--server", server.name, "--no-connect", "--dry-run"]
      let output = try daw.run(words)
      #expect(output.status == 0 && output.text.contains("MIDI takes next to no room"), "\(output)")
      struct Readiness: Decodable {
        var room: Int64
        var seconds: Double?
      }
      let readiness = try daw.run(words + ["--json"]).json(Readiness.self)
      #expect(readiness.room > 0 && readiness.seconds == nil)
      let elsewhere = try daw.run(words.filter { $0 != "--no-connect" } + ["--connect", "nobody:in"])
      #expect(elsewhere.status == 66 && elsewhere.error.contains("'nobody:in'"), "\(elsewhere)")
    }
  }

  @Test("A dry run makes nothing, and says where the folder of --spill is on the project's own disk")
  func dryRunMakesNothing() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let server = try JackServer()
      try daw("new", "Song")
      try daw("-p", "Song", "add-track", "Keys", "--type", "midi")
      try daw("-p", "Song", "set-track", "Keys", "--arm")
      let spill = folder.appending(path: "spill")
      try FileManager.default.createDirectory(at: spill, withIntermediateDirectories: true)
      func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path)
          .filter { $0.hasPrefix("spill") || $0.hasPrefix("Song.daw/Audio") }.sorted()
      }
      let before = try files()
      let words = ["-p", "Song", "record", "--server", server.name, "--no-connect", "--dry-run", "--spill", "spill"]
      let output = try daw.run(words)
      #expect(output.status == 0 && output.error.contains("on the project's own disk"), "\(output)")
      struct Readiness: Decodable { var warnings: [String] }
      #expect(try daw.run(words + ["--json"]).json(Readiness.self).warnings.count == 1)
      #expect(try files() == before)
    }
  }

  @Test("A loop of less than 100 ms is not recorded, and recording is off where an edit of the tempo makes it so")
  func shortLoop() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let player = try stage.record("--loop", "1.1.0..1.2.0")
      func transport(_ words: String...) throws -> DAWProgram.Output {
        try stage.daw.run(["-p", "Song", "transport"] + words)
      }
      let short = try transport("loop", "0s..0.05s")
      #expect(short.status == 65 && short.error.contains("lasts 50 ms"), "\(short.error)")
      // A beat is 62.5 ms then.
      try stage.daw("-p", "Song", "set-project", "--tempo", "960")
      func refusals() -> [[String: Any]] {
        player.events("problem").filter { $0["code"] as? String == "invalidRange" }
      }
      #expect(player.wait { !refusals().isEmpty && !player.events("recorded").isEmpty }, "\(player.said)")
      #expect(try !stage.status().recording.isOn)
      let on = try transport("record", "on")
      #expect(on.status == 65 && on.error.contains("lasts 62.5 ms"), "\(on.error)")
      // What is only played may be as short.
      #expect(try transport("loop", "0s..0.05s").status == 0)
      #expect(try transport("loop", "0s..1s").status == 0)
      #expect(try transport("record", "on").status == 0)
      #expect(player.wait { player.events("recordingBegan").count == 2 }, "\(player.said)")
      #expect(refusals().count == 1)
      try player.transport("quit")
      #expect(player.finish().status == 0)
    }
  }

  @Test("What came in before a track was renamed can still be kept")
  func keptAcrossAName() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let player = try LivePlayer(
        stage.daw, "Song", on: stage.server, command: "record",
        options: ["--no-connect", "--stopped", "--remember", "20s"])
      _ = player.wait { !player.events("opened").isEmpty }
      usleep(4_000_000)
      try stage.daw("-p", "Song", "set-track", "Vox", "--name", "Voice")
      #expect(player.wait { !player.events("edited").isEmpty }, "\(player.said)")
      let kept = try stage.daw.run(["-p", "Song", "transport", "keep", "3s"])
      #expect(kept.status == 0, "\(kept.text)\(kept.error)")
      // The player has not run for as long.
      let all = try stage.daw.run(["-p", "Song", "transport", "keep", "19s"])
      #expect(all.status == 0 && all.text.contains(" of 0:19.000 as "), "\(all.text)\(all.error)")
      try player.transport("quit")
      #expect(player.finish().status == 0)
      let passes = try stage.folders().flatMap { try $0.describe().passes }
      let frames = passes.map(\.frames).sorted()
      #expect(frames.count == 2 && frames.first == 144_000 && frames.last.map { $0 < 19 * 48_000 } == true, "\(passes)")
      #expect(passes.allSatisfy { $0.header.trackName == "Voice" }, "\(passes)")
    }
  }

  @Test("What came in last is kept, and a recording can be thrown away")
  func keepAndCancel() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let player = try LivePlayer(
        stage.daw, "Song", on: stage.server, command: "record",
        options: ["--no-connect", "--stopped", "--remember", "2s", "--title", "Idea"])
      _ = player.wait { !player.events("opened").isEmpty }
      func transport(_ words: String...) throws -> DAWProgram.Output {
        try stage.daw.run(["-p", "Song", "transport"] + words)
      }
      #expect(try transport("record", "cancel").status == 65)
      #expect(try transport("keep", "1000s").status == 65)
      #expect(try transport("keep").status == 64)
      usleep(1_500_000)
      // It stands at 0, where a second begins.
      let kept = try transport("keep", "1s")
      #expect(kept.status == 0 && kept.text.contains("Kept 0:01.000 as "), "\(kept.text)\(kept.error)")
      let late = try transport("record", "cancel")
      #expect(late.status == 65 && late.error.contains("'daw undo'"), "\(late.error)")
      try player.transport("start")
      #expect(player.wait { player.events("recordingBegan").count == 2 }, "\(player.said)")
      let early = try transport("keep", "1s")
      #expect(early.status == 65 && early.error.contains("being recorded"), "\(early.error)")
      usleep(500_000)
      #expect(try transport("record", "cancel").status == 0)
      #expect(player.events("recorded").count == 2, "\(player.said)")
      #expect(try !stage.status().recording.isOn)
      // It goes on rolling, and what it plays can be kept.
      usleep(700_000)
      #expect(try transport("keep", "0.5s").status == 65)
      struct Kept: Decodable {
        var recording: Recording
        struct Recording: Decodable { var takeSeconds: Double? }
      }
      #expect(try transport("keep", "1s", "--json").json(Kept.self).recording.takeSeconds == 1)
      try player.transport("quit")
      #expect(player.finish().status == 0)
      struct Region: Decodable { var startTime: Double }
      let regions = try stage.daw("-p", "Song", "list-regions", "--json").json([Region].self)
      #expect(regions.first?.startTime == 0)
      #expect(try stage.daw("-p", "Song", "list-takes", "--quiet").text.split(separator: "\n").count == 2)
      let passes = try stage.folders().map { try $0.describe().passes.map(\.frames) }
      #expect(passes == [[48_000], [48_000]], "\(passes)")
      // The second was thrown away.
      let trashed = try stage.daw("-p", "Song", "list-recordings", "--trashed", "--quiet").text
      #expect(trashed.split(separator: "\n").count == 1)
      #expect(try stage.daw("-p", "Song", "list-recordings", "--trashed").text.contains("Idea"))
      let folders = try stage.folders()
      for folder in folders { try stage.check(try folder.describe(), in: folder) }
      #expect(try stage.daw("-p", "Song", "check").status == 0)
    }
  }
}
