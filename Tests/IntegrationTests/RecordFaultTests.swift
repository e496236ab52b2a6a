import DAWMedia
import DAWTestSupport
import Foundation
import Glibc
import Testing

/// A server that goes away, a small disk, a link.
extension PlayTests.Recording {
  @Test("A server that is killed ends the take, which is kept")
  func lostServer() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let server = try JackServer()
      try daw("new", "Song")
      try daw("-p", "Song", "add-track", "Vox")
      try daw("-p", "Song", "set-track", "Vox", "--arm", "--input", "system:capture_1")
      let player = try LivePlayer(daw, "Song", on: server, command: "record", "--no-connect")
      #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
      usleep(500_000)
      server.kill9()
      let output = player.finish()
      #expect(output.status == 69, "\(output.error)")
      let recordings = Place(root: folder.appending(path: "Song.daw").path, ["Audio", "Recordings"])
      let name = try #require(recordings.open().names().first)
      let description = try RecordingFolder(opening: recordings.appending(name)).describe()
      #expect(description.isEnded)
      #expect(description.passes.first.map { $0.frames > 4_800 && $0.unaccounted.isEmpty } == true)
      #expect(try daw("-p", "Song", "list-takes").text.contains("Vox"))
    }
  }

  @Test("With --reconnect a recording goes on behind a gap when a server is back")
  func reconnected() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      let server = try JackServer()
      try daw("new", "Song")
      try daw("-p", "Song", "add-track", "Vox")
      try daw("-p", "Song", "set-track", "Vox", "--arm", "--input", "system:capture_1")
      let player = try LivePlayer(
        daw, "Song", on: server, command: "record", options: ["--no-connect", "--reconnect"])
      #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
      struct Page: Decodable {
        struct Recording: Decodable { var durationFrames: Int }
        var recordings: [Recording]
      }
      // Before a file is complete.
      #expect(
        player.wait {
          let page = try? daw("-p", "Song", "list-recordings", "--running", "--json").json(Page.self)
          return page?.recordings.first.map { $0.durationFrames > 4_800 } == true
        })
      server.kill9()
      #expect(player.wait { !player.events("serverLost").isEmpty }, "\(player.said)")
      usleep(500_000)
      let next = try JackServer(name: server.name)
      func lost() -> [[String: Any]] { player.events("gap").filter { $0["cause"] as? String == "serverLost" } }
      #expect(player.wait { !lost().isEmpty }, "\(player.said)")
      #expect(lost().compactMap { $0["frames"] as? Int }.allSatisfy { $0 > 0 }, "\(player.said)")
      usleep(500_000)
      player.send(SIGINT)
      let output = player.finish()
      for event in ["recordingBegan", "recorded"] {
        #expect(output.text.components(separatedBy: "\"event\":\"\(event)\"").count == 2, "\(output.text)")
      }
      next.stop()
      let recordings = Place(root: folder.appending(path: "Song.daw").path, ["Audio", "Recordings"])
      let name = try #require(recordings.open().names().first)
      let passes = try RecordingFolder(opening: recordings.appending(name)).describe().passes
      #expect(passes.count == 2 && passes.allSatisfy { $0.unaccounted.isEmpty && $0.recordedFrames > 4_800 })
      // The sample rate's worth of half a second, which was waited for.
      let gap = try #require(passes.first?.gaps.last { $0.cause == .serverLost })
      #expect(gap.frames >= 20_000 && gap.end == passes[0].frames)
      #expect(try daw("-p", "Song", "list-gaps", "--cause", "serverLost").text.contains("serverLost"))
      #expect(
        try daw("-p", "Song", "list-takes").text.split(separator: "\n").count(where: { $0.contains("Vox") }) == 2)
      #expect(try daw("-p", "Song", "check").status == 0)
    }
  }

  @Test(
    "On a small disk it goes on elsewhere, or behind a gap, and the recording is in the project",
    .enabled(if: SmallDisk.isPossible, "no file system can be mounted"), arguments: [false, true])
  func smallDisk(spills: Bool) throws {
    try withScratchFolder { folder in
      let disk = folder.appending(path: "disk")
      try FileManager.default.createDirectory(at: folder.appending(path: "spill"), withIntermediateDirectories: true)
      let mounted = try SmallDisk(at: disk.path, size: "6m")
      defer { mounted.unmount() }
      let stage = try RecordingStage(in: disk)
      // Leaves two megabytes, of which one stays free: three seconds.
      let left = 2_200_000
      let ballast = Int(mounted.freeByteCount) - left
      try Data(count: max(0, ballast)).write(to: disk.appending(path: "ballast"))
      var options = ["--no-connect", "--segment", "1s", "--min-free", "1M"]
      // By a path from the current folder, which the recording does without afterwards.
      if spills { options += ["--spill", "../spill"] }
      let player = try LivePlayer(stage.daw, "Song", on: stage.server, command: "record", options: options)
      #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
      func isFull() -> Bool {
        spills ? !player.events("recordingSpills").isEmpty : player.said.contains("diskFull")
      }
      #expect(player.wait { isFull() }, "\(player.said)")
      usleep(2_500_000)
      try player.transport("stop")
      #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
      #expect(player.said.contains("is not being recorded") != spills, "\(player.said)")
      try player.transport("quit")
      #expect(player.finish().status == 0)
      let recording = try #require(stage.folders().first)
      let pass = try #require(try recording.describe().passes.first)
      #expect(pass.unaccounted.isEmpty && pass.frames > 2 * 48_000)
      #expect(pass.segments.contains(where: \.isSpilled) == spills)
      #expect(pass.gaps.contains { $0.cause == .diskFull } == !spills, "\(pass.gaps)")
      #expect(try stage.daw("-p", "Song", "list-takes").text.contains("Vox"))
      #expect(try stage.daw("-p", "Song", "check").status == 0)
    }
  }

  @Test("A take's file that is missing is said, and what is in it is heard when it is back")
  func missingSegment() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let recorder = try stage.record("--segment", "1s")
      usleep(1_500_000)
      try recorder.transport("stop")
      #expect(recorder.wait { !recorder.events("recorded").isEmpty }, "\(recorder.said)")
      try recorder.transport("quit")
      #expect(recorder.finish().status == 0)
      let recording = try #require(stage.folders().first)
      let file = recording.place.appending("Vox.0001.wav").path
      try FileManager.default.moveItem(atPath: file, toPath: file + ".away")

      let player = try LivePlayer(stage.daw, "Song", on: stage.server, "--loop", "0s..1s", "--no-connect")
      #expect(player.wait { !player.events("problem").isEmpty }, "\(player.said)")
      #expect(player.said.contains("Vox.0001.wav"), "\(player.said)")
      let capture = try CaptureClient(server: stage.server.name)
      try #require(capture.connect(player.client))
      capture.startRecording()
      #expect(player.wait { capture.recording().left.count > 24_000 })
      #expect(capture.recording().left.allSatisfy { $0 == 0 })
      try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
      #expect(player.wait { !player.events("recovered").isEmpty }, "\(player.said)")
      #expect(player.wait { capture.recording().left.contains { $0 != 0 } }, "\(player.said)")
      player.send(SIGINT)
      #expect(player.finish().status == 130)
    }
  }

  @Test("A folder for recordings that is a link is refused, and nothing is recorded")
  func linkedFolder() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let target = folder.appending(path: "elsewhere")
      try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
      let audio = folder.appending(path: "Song.daw/Audio")
      try FileManager.default.createDirectory(at: audio, withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: audio.appending(path: "Recordings"), withDestinationURL: target)
      for words in [[], ["--dry-run"]] {
        let output = try stage.daw.run(
          ["record", "-p", "Song", "--server", stage.server.name, "--no-connect", "--to", "1s"] + words)
        #expect(output.status != 0 && output.error.contains("link"), "\(words): \(output.status) \(output.error)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: target.path).isEmpty)
      #expect(try stage.daw("-p", "Song", "list-takes").text.contains("Vox") == false)
    }
  }

  @Test("An input that is not there is said, with the ports of others that are")
  func missingInput() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      try stage.daw("-p", "Song", "set-track", "Vox", "--input", "nowhere:out_1")
      let output = try stage.daw.run([
        "-p", "Song", "record", "--server", stage.server.name, "--name", "band", "--json",
      ])
      #expect(output.status == 66 && output.error.contains("'nowhere:out_1'"), "\(output.status) \(output.error)")
      #expect(output.error.contains("\(stage.numbers.name):out_1"), "\(output.error)")
      #expect(!output.error.contains("band:"), "\(output.error)")
    }
  }

  @Test("A recording that cannot be begun is said at once, and by the status at the end")
  func failedToBegin() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let player = try LivePlayer(
        stage.daw, "Song", on: stage.server, command: "record", options: ["--no-connect", "--stopped"])
      #expect(player.wait { !player.events("opened").isEmpty }, "\(player.said)")
      let recordings = folder.appending(path: "Song.daw/Audio/Recordings")
      try FileManager.default.removeItem(at: recordings)
      try Data().write(to: recordings)
      try player.transport("start")
      #expect(player.wait { player.said.contains("Nothing is recorded") }, "\(player.said)")
      try player.transport("quit")
      let output = player.finish()
      #expect(output.status == 73 || output.status == 74, "\(output.status) \(output.error)")
      #expect(output.error.contains("Not everything that came in is in the project"), "\(output.error)")
    }
  }

  /// Another process that holds the project's write lock.
  private func lockedProject(in folder: URL) throws -> DAWProgram.Running {
    let lock = try DAWProgram(path: "/usr/bin/sqlite3", folder: folder).start([
      "-bail", "Song.daw/project.sqlite", ".timeout 20000", "BEGIN IMMEDIATE", ".shell touch locked", ".shell sleep 60",
    ])
    let mark = folder.appending(path: "locked").path
    while access(mark, F_OK) != 0, lock.process.isRunning { usleep(10_000) }
    return lock
  }

  @Test("A recording that ends while another process holds the project is in it when that one is done")
  func lockedProject() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let player = try stage.record()
      let lock = try lockedProject(in: folder)
      let isSaid = player.wait {
        if player.said.contains("is not in the project yet") { return true }
        // It waits for the project as well, and may answer late.
        _ = try? stage.daw.run(["-p", "Song", "transport", "stop"])
        return false
      }
      lock.kill()
      #expect(isSaid, "\(player.said)\(lock.finish().error)")
      // While it plays on.
      #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
      #expect(try stage.daw("-p", "Song", "list-takes").text.contains("Vox"))
      try player.transport("quit")
      let output = player.finish()
      #expect(output.status == 0, "\(output.error)")
      #expect(try stage.daw("-p", "Song", "recover-recordings").text.contains("No recording"))
    }
  }

  @Test("Where a cancelled recording cannot be put into the project, the input is heard as while recording is off")
  func cancelledWhileLocked() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let capture = try CaptureClient(server: stage.server.name)
      let player = try stage.record()
      #expect(capture.connect("\(player.client):out_1", "\(stage.numbers.name):out_1"))
      let lock = try lockedProject(in: folder)
      let output = try stage.daw.run(["-p", "Song", "transport", "record", "cancel"])
      #expect(output.status != 0 && output.error.contains("is not in the project yet"), "\(output.error)")
      capture.startRecording()
      usleep(500_000)
      let (sent, arrived, _) = capture.recording()
      lock.kill()
      // Side by side: what we send, and what came in.
      let equalCount = zip(sent, arrived).count { $0 == $1 && $1 != 0 }
      #expect(sent.count > 0 && equalCount < sent.count / 100, "\(equalCount) of \(sent.count), \(lock.finish().error)")
      #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
      try player.transport("quit")
      #expect(player.finish().status == 0)
    }
  }

  @Test("A player that ends before its punch range says that nothing was recorded")
  func nothingRecorded() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let running = try stage.daw.start(
        ["record", "-p", "Song", "--server", stage.server.name, "--no-connect", "--punch", "100s..101s"])
      while !running.textSoFar.contains("Playing"), running.process.isRunning { usleep(10_000) }
      running.send(SIGINT)
      let output = running.finish()
      #expect(output.status == 130 && output.text.hasSuffix("Interrupted.\nNothing was recorded.\n"), "\(output)")
    }
  }

  @Test(
    "A track that is armed while a recording runs is recorded from when it has ended", arguments: ["off", "cancel"])
  func armedMeanwhile(end: String) throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      try stage.daw("-p", "Song", "add-track", "Bass", "--input", "none")
      let player = try LivePlayer(
        stage.daw, "Song", on: stage.server, command: "record", options: ["--no-connect"])
      func tracks() -> [[String]] { player.events("recordingBegan").map { $0["tracks"] as? [String] ?? [] } }
      #expect(player.wait { !tracks().isEmpty }, "\(player.said)")
      try stage.daw("-p", "Song", "set-track", "Bass", "--arm")
      #expect(player.wait { !player.events("edited").isEmpty }, "\(player.said)")
      try player.transport("record", end)
      try player.transport("record", "on")
      #expect(player.wait { tracks().count == 2 }, "\(player.said)")
      #expect(tracks() == [["Vox"], ["Vox", "Bass"]])
      try player.transport("quit")
      #expect(player.finish().status == 0, "\(player.said)")
      let takes = try stage.daw("-p", "Song", "list-takes").text.split(separator: "\n")
      #expect(takes.count == (end == "off" ? 3 : 2), "\(takes)")
      #expect(try stage.daw("-p", "Song", "recover-recordings").text.contains("No recording"))
    }
  }

  @Test("A player plays what it has recorded, without an edit of another process")
  func playedBack() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let player = try stage.record()
      usleep(300_000)
      try player.transport("record", "off")
      #expect(player.wait { !player.events("recorded").isEmpty }, "\(player.said)")
      struct Head: Decodable { var revision: Int }
      let head = try stage.daw("-p", "Song", "show", "--json").json(Head.self).revision
      #expect(player.wait { !player.events("edited").isEmpty }, "\(player.said)")
      let edited = player.events("edited").last?["revision"] as? Int
      #expect(edited == head, "\(player.said)")
      try player.transport("quit")
      #expect(player.finish().status == 0, "\(player.said)")
    }
  }

  @Test("A track that is removed while it is recorded leaves its take on a new one")
  func removedTrack() throws {
    try withScratchFolder { folder in
      let stage = try RecordingStage(in: folder)
      let player = try LivePlayer(
        stage.daw, "Song", on: stage.server, command: "record", options: ["--no-connect"])
      #expect(player.wait { !player.events("recordingBegan").isEmpty }, "\(player.said)")
      try stage.daw("-p", "Song", "remove-track", "Vox")
      usleep(300_000)
      try player.transport("quit")
      #expect(player.finish().status == 0)
      #expect(try stage.daw("-p", "Song", "list-takes").text.contains("Vox recorded"))
      #expect(try stage.daw("-p", "Song", "check").status == 0)
    }
  }
}
