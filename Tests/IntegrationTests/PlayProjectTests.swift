import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Projects that cannot be played")
  struct Projects {
    private func isHeard(_ player: LivePlayer, _ capture: CaptureClient) -> Bool {
      capture.startRecording()
      return player.wait { capture.recording().left.contains { $0 != 0 } }
    }

    private func problem(_ player: LivePlayer, _ code: String) -> Bool {
      player.wait { player.events("problem").contains { $0["code"] as? String == code } }
    }

    @Test("A damaged file, none, and one with a medium that is missing: a sentence, a status, and what there is plays")
    func beforehand() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Edits.makeProject(daw)
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        try daw("-p", "Song", "add-track", "Other")
        try daw("-p", "Song", "add-region", "Other", "--file", "noise.wav", "--link", "--offset", "1s")
        let server = try JackServer()
        let nowhere = try daw.run(["play", "-p", "Nowhere", "--server", server.name])
        #expect(nowhere.status == 66 && nowhere.error.contains("Nowhere"), "\(nowhere.error)")

        try daw("copy", "Song", "Gone")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Gone.daw/Audio") {
          try FileManager.default.removeItem(atPath: folder.path + "/Gone.daw/Audio/" + file)
        }
        let gone = try LivePlayer(daw, "Gone", on: server, "--no-connect")
        #expect(problem(gone, "missing"))
        let isCounted = gone.wait {
          gone.events("position").contains { (($0["status"] as? [String: Any])?["silentMedia"] as? Int ?? 0) > 0 }
        }
        #expect(isCounted, "\(gone.said)")
        gone.send(SIGINT)
        #expect(gone.finish().status == 130)

        let path = folder.appending(path: "Song.daw/project.sqlite")
        var bytes = try Data(contentsOf: path)
        bytes.replaceSubrange(4_096..<bytes.count, with: Data(repeating: 0xa5, count: bytes.count - 4_096))
        try bytes.write(to: path)
        let damaged = try daw.run(["play", "-p", "Song", "--server", server.name])
        #expect(damaged.status == 65 && damaged.error.contains("damaged"), "\(damaged.error)")
        #expect(damaged.text.isEmpty)
      }
    }

    @Test("Regions that reach beyond their files, as another program has written them, are named; the others play")
    func beyondFiles() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Edits.makeProject(daw)
        for place in ["0s", "100s", "200s"] {
          try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav", "--at", place, "--name", "At \(place)")
        }
        let file = folder.appending(path: "Song.daw/project.sqlite")
        try HostileFileTests.write("UPDATE region SET audioOffset = 99999999999999 WHERE name <> 'At 0s'", into: file)
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--loop", "1.1.0..2.1.0", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        let messages = player.events("problem").filter { $0["code"] as? String == "regionWithinFile" }
          .compactMap { $0["message"] as? String }
        #expect(messages.count == 1, "\(player.said)")
        #expect(messages.first?.contains("'Noise/At 100s'") == true && messages.first?.contains("1 other") == true)
        #expect(isHeard(player, capture), "\(player.said)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("A project that is moved away plays on, and it is said; when it is back, it is followed again")
    func movedAway() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Edits.makeProject(daw)
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--loop", "1.1.0..2.1.0", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        let path = folder.path + "/Song.daw"
        try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/Away.daw")
        #expect(problem(player, "projectGone"), "\(player.said)")
        #expect(isHeard(player, capture), "\(player.said)")
        try daw("-p", "Away", "set-track", "Noise", "--volume", "-6")
        try FileManager.default.moveItem(atPath: folder.path + "/Away.daw", toPath: path)
        #expect(
          player.wait { !player.events("recovered").isEmpty && !player.events("edited").isEmpty }, "\(player.said)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test(
      "A copy of the project that takes its place is heard; a damaged one or another project is not, and it is said")
    func replaced() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Edits.makeProject(daw)
        try daw("copy", "Song", "Later", "--same-id")
        try daw("-p", "Later", "add-region", "Noise", "--file", "noise.wav")
        try daw("new", "Another")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--loop", "1.1.0..2.1.0", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        func put(_ name: String) throws {
          _ = try runShell(in: folder, input: "mv Song.daw was-\(name) && cp -r \(name).daw Song.daw")
        }
        try put("Later")
        #expect(player.wait { !player.events("replaced").isEmpty }, "\(player.said)")
        #expect(isHeard(player, capture), "\(player.said)")
        // Edits of the one that is there now are heard.
        try daw("-p", "Song", "set-track", "Noise", "--volume", "-6")
        #expect(player.wait { !player.events("edited").isEmpty }, "\(player.said)")
        try put("Another")
        #expect(problem(player, "projectReplaced"), "\(player.said)")
        #expect(isHeard(player, capture), "\(player.said)")
        let broken = folder.path + "/Broken.daw"
        try FileManager.default.createDirectory(atPath: broken, withIntermediateDirectories: false)
        try Data(repeating: 0x5a, count: 40_000).write(to: URL(filePath: broken + "/project.sqlite"))
        try put("Broken")
        #expect(problem(player, "notAProject"), "\(player.said)")
        #expect(isHeard(player, capture), "\(player.said)")
        try put("Later")
        #expect(
          player.wait { player.events("replaced").count == 2 && !player.events("recovered").isEmpty }, "\(player.said)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
