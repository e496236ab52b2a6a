import DAWMedia
import DAWTestSupport
import Foundation
import Glibc
import Testing

/// A project with a track `Vox` that records from a client which numbers the server's frames.
struct RecordingStage {
  let daw: DAWProgram
  let server: JackServer
  let numbers: NumberingClient

  init(in folder: URL, bufferSize: Int = 256) throws {
    daw = DAWProgram(folder: folder)
    server = try JackServer(bufferSize: bufferSize)
    numbers = try NumberingClient(server: server.name)
    try daw("new", "Song")
    try daw("-p", "Song", "add-track", "Vox")
    try daw(
      "-p", "Song", "set-track", "Vox", "--arm", "--input", "\(numbers.name):out_1", "--input",
      "\(numbers.name):out_2")
  }

  var recordings: Place { Place(root: daw.folder.appending(path: "Song.daw").path, ["Audio", "Recordings"]) }

  func folders() throws -> [RecordingFolder] {
    try recordings.open().names().sorted().map { try RecordingFolder(opening: recordings.appending($0)) }
  }

  struct Status: Decodable {
    struct Input: Decodable { var name: String }
    struct Recording: Decodable {
      var isOn: Bool
      var seconds: Double
      var gapFrames: Int
      var inputs: [Input]
    }
    var recording: Recording
  }

  /// What `daw transport status` says of the recording.
  func status() throws -> Status { try daw("-p", "Song", "transport", "status", "--json").json(Status.self) }

  /// Starts it, and waits for its first frame.
  func record(_ options: String...) throws -> LivePlayer {
    let player = try LivePlayer(daw, "Song", on: server, command: "record", options: ["--no-connect"] + options)
    #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
    return player
  }

  /// Checks that each frame of a recording is itself, or in a gap, where there is silence.
  /// - Returns: the frames in gaps.
  @discardableResult
  func check(_ description: RecordingDescription, in folder: RecordingFolder) throws -> Int64 {
    for pass in description.passes {
      #expect(pass.unaccounted.isEmpty)
      let gaps = pass.gaps.map { $0.start..<$0.end }
      for segment in pass.segments {
        let reader = try AudioFileReader(path: folder.place.appending(segment.name).path)
        #expect(reader.facts.frames.frames == segment.frames)
        let count = Int(segment.frames)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
        defer { samples.deallocate() }
        #expect(try reader.read(at: 0, count: count, into: samples) == count)
        for index in 0..<count {
          let frame = segment.startFrame + Int64(index)
          let host = UInt32(truncatingIfNeeded: pass.header.firstHostFrame + frame)
          let (left, right) = (samples[2 * index], samples[2 * index + 1])
          if gaps.contains(where: { $0.contains(frame) }) {
            guard left == 0, right == 0 else {
              Issue.record("frame \(frame) of a gap is \(left), \(right)")
              return 0
            }
          } else {
            let found = NumberingClient.frame(left: left, right: right)
            guard found == host || !numbers.wasOnTime(at: host, cycle: 256) else {
              Issue.record("frame \(frame) of pass \(pass.header.number) is \(found), not \(host); gaps \(gaps)")
              return 0
            }
          }
        }
      }
    }
    return description.passes.flatMap(\.gaps).reduce(0) { $0 + $1.frames }
  }
}

extension PlayTests {
  @Suite("Recording")
  struct Recording {
    @Test("Each frame is itself, or in a gap: with a process that stands still again and again")
    func everyFrame() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let player = try stage.record("--segment", "1s")
        for _ in 0..<3 {
          usleep(400_000)
          player.send(SIGSTOP)
          usleep(300_000)
          player.send(SIGCONT)
        }
        usleep(500_000)
        let status = try stage.status()
        #expect(status.recording.isOn && status.recording.seconds > 1 && status.recording.gapFrames > 0, "\(status)")
        #expect(status.recording.inputs.map(\.name) == ["Vox in_1", "Vox in_2"])
        try player.transport("stop")
        #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
        let recorded = try #require(player.events("recorded").first)
        try player.transport("quit")
        #expect(player.finish().status == 0)
        let recording = try #require(stage.folders().first)
        let description = try recording.describe()
        #expect(description.isEnded)
        #expect(description.passes.count == 1)
        let lost = try stage.check(description, in: recording)
        // A server drops a client that stands still for long; it may have been called a little later as well.
        #expect(lost >= 3 * 48_000 / 10, "\(lost) frames lost, \(player.said)")
        #expect(description.passes.first.map { $0.segments.count > 1 } == true)
        #expect(recorded["gapFrames"] as? Int64 == lost)
      }
    }

    /// `DAW_RECORD_SECONDS` says for how long.
    @Test("Each frame of eight inputs is itself, or in a gap, and no input has other gaps than the rest")
    func eightInputs() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        for name in ["B", "C", "D"] {
          try stage.daw("-p", "Song", "add-track", name)
          try stage.daw(
            "-p", "Song", "set-track", name, "--arm", "--input", "\(stage.numbers.name):out_1", "--input",
            "\(stage.numbers.name):out_2")
        }
        let seconds = ProcessInfo.processInfo.environment["DAW_RECORD_SECONDS"].flatMap(Int.init) ?? 2
        let player = try stage.record()
        #expect(try stage.status().recording.inputs.count == 8)
        sleep(UInt32(seconds))
        try player.transport("stop")
        #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
        try player.transport("quit")
        #expect(player.finish().status == 0)
        let recording = try #require(stage.folders().first)
        let description = try recording.describe()
        #expect(description.isEnded && description.passes.count == 4)
        let lost = try stage.check(description, in: recording)
        let first = try #require(description.passes.first)
        #expect(description.passes.allSatisfy { $0.gaps == first.gaps && $0.frames == first.frames })
        #expect(lost == 4 * first.gaps.reduce(0) { $0 + $1.frames })
        #expect(first.frames > Int64(seconds) * 40_000)
        print("recorded \(first.frames) frames of 8 inputs, in \(first.gaps.count) gaps \(lost / 4)")
      }
    }

    @Test("What is killed is finished by the next command, to the last tenth of a second")
    func killed() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let player = try stage.record("--segment", "1s")
        usleep(1_700_000)
        // What is in the file that is being written is known.
        struct Row: Decodable {
          var id: String?
          var duration: Double
          var fileSize: Int?
          var state: String?
        }
        struct Page: Decodable { var recordings: [Row] }
        let page = try stage.daw("-p", "Song", "list-recordings", "--running", "--json").json(Page.self)
        let id = try #require(page.recordings.first?.id)
        #expect(
          player.wait {
            let rows = try? stage.daw("-p", "Song", "list-segments", id, "--json").json([Row].self)
            return rows?.contains { $0.state == "recording" && $0.duration > 0.1 && $0.fileSize ?? 0 > 20_000 } == true
          })
        let frames = try player.transport("status").frame
        player.kill()
        _ = player.finish()
        try stage.daw("-p", "Song", "recover-recordings")
        let recording = try #require(stage.folders().first)
        let description = try recording.describe()
        #expect(description.isEnded)
        try stage.check(description, in: recording)
        let recorded = description.passes.first?.frames ?? 0
        #expect(recorded > frames - 4_800 - 2_048, "\(recorded) frames of \(frames)")
        // It plays and is bounced.
        try stage.daw("-p", "Song", "bounce", "-o", "a.wav", "--bits", "32f", "--allow", "quiet")
        #expect(try stage.daw("-p", "Song", "recover-recordings").text.contains("No recording"))
        #expect(try stage.daw("-p", "Song", "check").status == 0)
      }
    }

    @Test("What is played back into an input lies where it was played, to the bit")
    func placed() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        let server = try JackServer()
        try daw("new", "Song")
        var random = SeededGenerator(seed: 1)
        let values = (0..<96_000).map { _ in Int.random(in: -32_768...32_767, using: &random) }
        let noise = values.map { Float($0) / 32_768 }
        try PlainWave.write([values, values], bits: 16, rate: 48_000, to: folder.appending(path: "noise.wav"))
        try daw("-p", "Song", "add-track", "Noise", "--channels", "2")
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav", "--at", "0.5s")
        try daw("-p", "Song", "add-track", "Vox")
        // Our own output reaches our own input a cycle later, and no latency says so.
        try daw(
          "-p", "Song", "set-track", "Vox", "--arm", "--input", "daw:out_1", "--record-offset=-256f", "--monitor", "off"
        )
        let player = try LivePlayer(daw, "Song", on: server, command: "record", "--no-connect", "--to", "3s")
        let output = player.finish()
        #expect(output.status == 0, "\(output.error)\(output.text)")
        try daw("-p", "Song", "set-track", "Noise", "--mute")
        try daw(
          "-p", "Song", "bounce", "-o", "take.wav", "--bits", "32f", "--from", "0.5s", "--to", "2.5s", "--tail", "0s")
        let reader = try AudioFileReader(path: folder.appending(path: "take.wav").path)
        var samples = [Float](repeating: 0, count: 2 * 96_000)
        let count = try samples.withUnsafeMutableBufferPointer {
          try reader.read(at: 0, count: 96_000, into: $0.baseAddress!)
        }
        #expect(count == 96_000)
        // The mono take at the centre is heard at −3 dB on both sides.
        let wrong = noise.indices.first { samples[2 * $0] != noise[$0] * Float(0.5.squareRoot()) }
        #expect(wrong == nil, "frame \(wrong ?? 0)")
      }
    }

    @Test("A loop makes a take a pass; the last full one sounds")
    func loops() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let player = try stage.record("--loop", "1s..1.5s")
        usleep(1_800_000)
        try player.transport("stop")
        #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
        let recorded = try #require(player.events("recorded").first)
        try player.transport("quit")
        #expect(player.finish().status == 0)
        let recording = try #require(stage.folders().first)
        let description = try recording.describe()
        try stage.check(description, in: recording)
        #expect(description.passes.count >= 3)
        // Our own transport waits while the server does not call: such gaps lie between pieces. Where it called late, what
        // came in is a gap too, within a piece, since the transport rolled on.
        for pass in description.passes.dropLast() {
          #expect(pass.pieces.reduce(0) { $0 + $1.frames } == 24_000, "\(pass)")
        }
        let takes = try #require(recorded["takes"] as? [[String: Any]])
        let frames = description.passes.map(\.frames)
        // The last one was cut off by the stop, unless that came at its end.
        let heard = frames.count - (frames[frames.count - 1] < frames[frames.count - 2] ? 2 : 1)
        #expect(takes.indices.filter { takes[$0]["isInUse"] as? Bool == true } == [heard], "\(frames)")
        let places = description.passes.compactMap { $0.pieces.first?.timelineFrame }
        #expect(places.allSatisfy { $0 == 48_000 }, "\(places)")
        // A project made of its JSON has the takes, where they were, and sounds the same.
        let daw = stage.daw
        let json = try daw("-p", "Song", "show", "--json", "--notes", "--recordings").data
        try json.write(to: folder.appending(path: "a.json"))
        try daw("new", "Again", "--from", "a.json", "--media", "Song.daw")
        let check = try daw.run(["-p", "Again", "check"])
        #expect(check.status == 0, "\(check.text)")
        for project in ["Song", "Again"] {
          try daw("-p", project, "bounce", "-o", "\(project).wav", "--bits", "32f", "--allow", "clipped")
        }
        let mixes = try ["Song", "Again"].map { try Data(contentsOf: folder.appending(path: "\($0).wav")) }
        #expect(mixes[0].count > 100_000 && mixes[0] == mixes[1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Again.daw/Audio") == ["Recordings"])
      }
    }

    @Test("Only the punch range is recorded, wherever playback begins")
    func punch() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let player = try stage.record("--punch", "0.5s..1s", "--preroll", "0.25s", "--to", "1.2s")
        #expect(player.finish().status == 0)
        let description = try #require(stage.folders().first).describe()
        #expect(description.passes.map(\.frames) == [24_000])
        #expect(description.passes.first?.pieces.map(\.timelineFrame) == [24_000])
      }
    }

    @Test("MIDI of another program becomes the notes that it played, also when the recorder is killed")
    func midi() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        let server = try JackServer(isPatient: true)
        try daw("new", "Band")
        try daw("-p", "Band", "add-track", "Piano", "--type", "midi")
        try daw("-p", "Band", "add-region", "Piano", "--name", "Tune", "--length", "1.0.0")
        for (place, pitch) in [("0b", "C4"), ("0.5b", "E4"), ("1b", "G4"), ("1.25b", "C5")] {
          try daw("-p", "Band", "add-note", "Piano/Tune", pitch, "--at", place, "--length", "0.5b")
        }
        let band = try LivePlayer(
          daw, "Band", on: server, command: "play",
          options: ["--name", "keys", "--transport", "jack", "--stopped", "--no-connect", "--midi", "jack"])
        try daw("new", "Song")
        try daw("-p", "Song", "add-track", "Keys", "--type", "midi")
        try daw("-p", "Song", "set-track", "Keys", "--arm", "--midi-input", "keys:Piano")
        func notes(_ project: String, _ region: String) throws -> [[String: Int]] {
          struct Note: Decodable { var startTicks, durationTicks, pitch, velocity: Int }
          return try daw("-p", project, "list-notes", "--region", region, "--json").json([Note].self).map {
            ["start": $0.startTicks, "length": $0.durationTicks, "pitch": $0.pitch, "velocity": $0.velocity]
          }
        }
        for isKilled in [false, true] {
          let player = try LivePlayer(
            daw, "Song", on: server, command: "record",
            options: ["--transport", "jack", "--align", "captured", "--no-connect", "--from", "0s"])
          #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
          usleep(1_800_000)
          if isKilled {
            player.kill()
            // It would wait for its client.
            server.kill9()
            _ = player.finish()
          } else {
            player.send(SIGINT)
            _ = player.finish()
            try band.transport("stop")
          }
          try daw("-p", "Song", "recover-recordings")
          let region = isKilled ? "Keys/Keys 2" : "Keys/Keys"
          #expect(try notes("Song", region) == notes("Band", "Piano/Tune"), "killed: \(isKilled)")
        }
        _ = band.finish()
        #expect(try daw("-p", "Song", "check").status == 0)
      }
    }

    @Test("A host without a clock loses no frame, in cycles of any size", arguments: [16, 4_096])
    func freewheel(bufferSize: Int) throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder, bufferSize: bufferSize)
        let control = try CaptureClient(server: stage.server.name, name: "control")
        let player = try LivePlayer(
          stage.daw, "Song", on: stage.server, command: "record", options: ["--no-connect", "--stopped"])
        usleep(200_000)
        control.setFreewheel(true)
        #expect(player.wait { !player.events("freewheel").isEmpty }, "\(player.said)")
        try player.transport("start")
        #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
        usleep(500_000)
        try player.transport("stop")
        #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
        control.setFreewheel(false)
        try player.transport("quit")
        _ = player.finish()
        let recording = try #require(stage.folders().first)
        let description = try recording.describe()
        #expect(try stage.check(description, in: recording) == 0)
        #expect(description.passes.first.map { $0.frames > 0 } == true)
      }
    }

    @Test("Bad input changes nothing")
    func badInput() throws {
      try withScratchFolder { folder in
        let stage = try RecordingStage(in: folder)
        let daw = stage.daw
        let base = ["record", "-p", "Song", "--server", stage.server.name]
        func refused(_ words: [String], _ status: Int32, _ part: String) throws {
          let output = try daw.run(base + words)
          #expect(output.status == status, "\(words): \(output.error)")
          #expect(output.error.contains(part), "\(words): \(output.error)")
        }
        try refused(["--segment", "0.5s"], 65, "1 s")
        try refused(["--bits", "12"], 64, "12")
        try refused(["--punch", "2s..1s"], 65, "range")
        try refused(["--punch", "abc"], 64, "a range is two positions")
        try refused(["--punch", "1s..2s", "--from", "2s"], 65, "never played")
        try refused(["--punch", "1s..2s", "--to", "1s"], 65, "never played")
        try refused(["--punch", "1s..2s", "--loop", "0s..1s", "--dry-run"], 65, "never played")
        try refused(["--min-free", "-5"], 64, "a size is")
        try refused(["--min-free", "900T"], 74, "free")
        for words in [[], ["--dry-run"]] {
          try refused(["--loop", "0s..1f"] + words, 65, "100 ms")
          try refused(["--spill", "nowhere"] + words, 73, "mkdir")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "nowhere").path))
        try refused(["--spill", "/dev/null"], 73, "--spill")
        try refused(["--spill", "/dev/null/deeper", "--dry-run"], 73, "--spill")
        try daw("-p", "Song", "set-track", "Vox", "--input", "nobody:out_1", "--input", "numbers:out_2")
        try refused([], 66, "numbers:out_1")
        try daw("-p", "Song", "set-track", "Vox", "--no-arm")
        try refused([], 65, "armed")
        try refused(["--dry-run"], 65, "armed")
        #expect((try? stage.folders())?.isEmpty != false)
      }
    }
  }
}
