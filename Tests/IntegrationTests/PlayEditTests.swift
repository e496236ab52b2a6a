import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Edits while it plays")
  struct Edits {
    /// A project with one track that is silent, and a loud recording beside it.
    static func makeProject(_ daw: DAWProgram) throws {
      try daw("new", "Song")
      try daw("-p", "Song", "add-track", "Noise")
      let noise = Signal.noise(seed: 1, frames: 96_000, channels: 1, peak: 0.5).map { Int($0 * 32_767) }
      try PlainWave.write([noise], bits: 16, rate: 48_000, to: daw.folder.appendingPathComponent("noise.wav"))
    }

    @Test("What another process adds, undoes and turns down is heard, and nothing is heard before")
    func heard() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Self.makeProject(daw)
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--loop", "1.1.0..2.1.0", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        capture.startRecording()
        usleep(200_000)
        #expect(capture.recording().left.allSatisfy { $0 == 0 })
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        let isHeard = { capture.recording().left.suffix(2_048).contains { $0 != 0 } }
        #expect(player.wait(for: isHeard), "\(player.said)")
        #expect(player.wait { player.events("edited").contains { $0["revision"] as? Int == 2 } }, "\(player.said)")
        // Milliseconds from the edit until it left the ports, as the player measured it.
        #expect(player.events("edited").allSatisfy { ($0["delay"] as? Int).map { $0 >= 0 } == true }, "\(player.said)")
        try daw("-p", "Song", "undo")
        #expect(player.wait { capture.recording().left.suffix(2_048).allSatisfy { $0 == 0 } }, "\(player.said)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("A medium that vanishes leaves what played in place, and it is said; so is its return")
    func vanishedMedium() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Self.makeProject(daw)
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--loop", "1.1.0..2.1.0", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        let file = folder.path + "/Song.daw/Audio/noise.wav"
        try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
        #expect(player.wait { !player.events("problem").isEmpty }, "\(player.said)")
        try daw("-p", "Song", "set-track", "Noise", "--volume", "-6")
        capture.startRecording()
        #expect(player.wait { capture.recording().left.contains { $0 != 0 } }, "\(player.said)")
        #expect(player.events("edited").isEmpty)
        try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
        #expect(
          player.wait { !player.events("recovered").isEmpty && !player.events("edited").isEmpty }, "\(player.said)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("A project that another program has made newer plays on, and it is said")
    func newerSchema() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Self.makeProject(daw)
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server)
        let shell = try runShell(in: folder, input: "sqlite3 Song.daw/project.sqlite 'PRAGMA user_version = 999'")
        try #require(shell.status == 0, "\(shell.text)")
        #expect(player.wait { player.events("problem").contains { $0["code"] as? String == "newerProject" } })
        let frame = { player.events("position").last.flatMap { $0["status"] as? [String: Any] }?["frame"] as? Int ?? 0 }
        let before = frame()
        #expect(player.wait { frame() > before })
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
