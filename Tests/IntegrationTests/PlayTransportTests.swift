import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("The transport")
  struct TransportControl {
    @Test("Another process stops, moves, loops and starts the player, and ends it with status 0")
    func socket() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        let none = try daw.run(["transport", "-p", "Song", "start"])
        #expect(none.status == 69 && none.error.contains("daw play"), "\(none.error)")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--from", "3.1.0")
        #expect(player.wait { (try? player.transport("status").state) == "rolling" })
        try player.transport("stop")
        #expect(player.wait { (try? player.transport("status").state) == "stopped" })
        try player.transport("locate", "5.1.0")
        #expect(player.wait { (try? player.transport("status").frame) == 8 * 48_000 })
        try player.transport("loop", "2.1.0..2.3.0")
        try player.transport("start")
        #expect(player.wait { (try? player.transport("status").state) == "rolling" })
        for _ in 0..<20 {
          let frame = try player.transport("status").frame
          #expect((2 * 48_000..<3 * 48_000).contains(frame))
          usleep(10_000)
        }
        let refused = try daw.run(["transport", "-p", "Song", "loop", "3.1.0..2.1.0"])
        #expect(refused.status == 65, "\(refused.error)")
        try player.transport("quit")
        #expect(player.finish().status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/daw").isEmpty)
      }
    }

    @Test("Only its owner can open the socket; a killed player's is noticed, and replaced")
    func staleSocket() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": "/nowhere"])
        try daw("new", "Song")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server)
        let cache = folder.path + "/Song.daw/Cache/players"
        // The player says that it has opened the project before it listens.
        func sockets() -> [String] {
          ((try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []).filter { $0.hasSuffix(".socket") }
        }
        #expect(player.wait { !sockets().isEmpty })
        let socket = cache + "/" + (try #require(sockets().first))
        var status = stat()
        #expect(stat(socket, &status) == 0 && status.st_mode & 0o777 == 0o600)

        let second = try LivePlayer(daw, "Song", on: server)
        #expect(second.wait { second.events("problem").contains { $0["code"] as? String == "playerAlreadyRunning" } })
        second.send(SIGINT)
        #expect(second.finish().status == 130)
        #expect(try player.transport("status").state != "")

        player.kill()
        _ = player.finish()
        let output = try daw.run(["transport", "-p", "Song", "status"])
        #expect(output.status == 69 && output.error.contains("ended by force"), "\(output.error)")
        let third = try LivePlayer(daw, "Song", on: server)
        #expect(third.wait { (try? third.transport("status").state) == "rolling" })
      }
    }

    @Test("Other clients start, stop and move a player that follows JACK, and read its bars and beats")
    func jackTransport() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song", "--tempo", "90", "--time-signature", "3/4")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--transport", "jack", "--timebase", "--stopped")
        let other = try CaptureClient(server: server.name)
        other.locateTransport(to: 96_000)
        #expect(player.wait { (try? player.transport("status").frame) == 96_000 })
        // 96,000 frames are three quarters at 90 BPM: the second bar of 3/4.
        #expect(player.wait { other.transport().position.bar == 2 })
        let position = other.transport().position
        #expect(other.hasBars)
        #expect(position.beat == 1 && position.beats_per_bar == 3 && position.beats_per_minute == 90)
        other.startTransport()
        #expect(player.wait { (try? player.transport("status").state) == "rolling" })
        try player.transport("stop")
        #expect(player.wait { !other.transport().isRolling })
        try player.transport("locate", "1.1.0")
        #expect(player.wait { other.transport().position.frame == 0 })
        let loop = try daw.run(["transport", "-p", "Song", "loop", "1.1.0..2.1.0"])
        #expect(loop.status == 65, "\(loop.error)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("Located right after an edit of the tempo, the playhead is at its bar in the new one")
    func locatedAfterATempoEdit() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song", "--tempo", "120")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--stopped")
        for (number, tempo) in [60, 240, 90, 160].enumerated() {
          try daw("-p", "Song", "set-project", "--tempo", "\(tempo)")
          try player.transport("locate", "17.1.0")
          #expect(player.wait { player.events("edited").count > number }, "\(player.said)")
          // 64 beats.
          let frame = Int64(64 * 60 * 48_000 / tempo)
          #expect(player.wait { (try? player.transport("status").frame) == frame }, "at \(tempo) BPM")
        }
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }

    @Test("What does not go together is refused before anything is opened")
    func refusals() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        for words in [
          ["--loop", "1.1.0..2.1.0", "--transport", "jack"], ["--count-in", "1", "--transport", "jack"],
          ["--loop", "1.1.0"], ["--connect", "a:b", "--no-connect"], ["--count-in", "17"],
          ["--loop", "1.1.0..5.1.0", "--to", "1.1.0"], ["--loop", "1.1.0..5.1.0", "--to", "9.1.0"],
        ] {
          let output = try daw.run(["play", "-p", "Song", "--server", "daw-test-nobody"] + words)
          #expect(output.status == 64, "\(words): \(output.error)")
        }
        for words in [
          ["--from", "2s", "--to", "1s"], ["--to", "0s"], ["--from", "-1s"], ["--loop", "5.1.0..3.1.0"],
          ["--loop", "3s..3s"],
        ] {
          let output = try daw.run(["play", "-p", "Song", "--server", "daw-test-nobody"] + words)
          #expect(output.status == 65, "\(words): \(output.error)")
        }
        #expect(try daw.run(["transport", "-p", "Song", "locate"]).status == 64)
        let unknown = try daw.run(["transport", "-p", "Song", "roll"]).error
        #expect(unknown.contains("one of the following: start, stop, locate,"), "\(unknown)")
        #expect(try daw.run(["transport", "-p", "Song", "start", "2s"]).status == 64)
      }
    }

    @Test("It ends by itself at --to, with status 0, and says so in plain lines")
    func end() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let output = try daw.run(["play", "-p", "Song", "--server", server.name, "--to", "0.5s"])
        #expect(output.status == 0, "\(output.error)")
        #expect(output.text.contains("Playing as 'daw' at 48000 Hz") && output.text.contains("Ended"), "\(output.text)")
        #expect(!output.text.contains("\u{1B}") && !output.text.contains("\r"))
      }
    }
  }
}
