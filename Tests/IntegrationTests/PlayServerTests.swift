import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("The server")
  struct Server {
    @Test("Without a server the status is 69, and it is said how to start one, on PipeWire too")
    func noServer() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let output = try daw.run(["play", "-p", "Song", "--server", "daw-test-nobody"])
        #expect(output.status == 69)
        #expect(output.error.contains("jackd") && output.error.contains("pw-jack daw play"), "\(output.error)")
        #expect(output.text.isEmpty)
      }
    }

    @Test("A server at another rate is refused with both rates and the commands that repair it, which do")
    func otherRate() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer(rate: 44_100)
        let output = try daw.run(["play", "-p", "Song", "--server", server.name])
        #expect(output.status == 69)
        for part in ["44100 Hz", "48000 Hz", "jackd", "-r 48000", "daw -p Song set-project --rate 44100"] {
          #expect(output.error.contains(part), "\(part): \(output.error)")
        }
        try daw("-p", "Song", "set-project", "--rate", "44100")
        let player = try LivePlayer(daw, "Song", on: server)
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }

    @Test("A server that goes away ends the player with a sentence and status 69")
    func lostServer() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server)
        server.stop()
        let output = player.finish()
        #expect(output.status == 69)
        #expect(output.error.contains("went away") && output.error.contains("--reconnect"), "\(output.error)")
      }
    }

    @Test("A server that stands still does not hold up the player's end, which says so")
    func silentServer() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server)
        server.standStill()
        defer { server.goOn() }
        player.send(SIGTERM)
        let output = player.finish()
        #expect(output.status == 143, "\(output.error)")
        #expect(output.text.contains("does not answer"), "\(output.text)\(output.error)")
      }
    }

    @Test("Ctrl-Z while the server stands still ends the player, which cannot leave it, with a sentence and status 69")
    func suspendedAtASilentServer() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server)
        server.standStill()
        defer { server.goOn() }
        player.send(SIGTSTP)
        // A process that is stopped has no end to wait for.
        try #require(player.wait { !player.isRunning }, "\(player.said)")
        let output = player.finish()
        #expect(output.status == 69 && output.error.contains("does not answer"), "\(output.status) \(output.error)")
      }
    }

    @Test("A test's server that was killed leaves no semaphores of its clients")
    func leftovers() throws {
      func killed() throws -> String {
        let server = try JackServer()
        let client = try NumberingClient(server: server.name)
        server.kill9()
        withExtendedLifetime(client) { #expect(!JackServer.semaphores(ofServer: server.name).isEmpty) }
        return server.name
      }
      #expect(try JackServer.semaphores(ofServer: killed()).isEmpty)
    }

    @Test("With --reconnect another server of that name is found, and it rolls on")
    func reconnect() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--reconnect")
        #expect(player.wait { !player.events("transport").isEmpty })
        server.kill9()
        #expect(player.wait { !player.events("serverLost").isEmpty }, "\(player.said)")
        // Long enough for it to look for the server in vain, which it does once a second.
        usleep(2_500_000)
        let next = try JackServer(name: server.name)
        #expect(player.wait { !player.events("reconnected").isEmpty }, "\(player.said)")
        let before = try player.transport("status")
        #expect(before.state == "rolling")
        #expect(player.wait { ((try? player.transport("status").frame) ?? 0) > before.frame + 10_000 })
        player.send(SIGTERM)
        #expect(player.finish().status == 143)
        next.stop()
      }
    }

    @Test("Without a server nothing is started or moved, and that is said", arguments: ["own", "jack"])
    func commandsWithoutServer(transport: String) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--reconnect", "--stopped", "--transport", transport)
        server.kill9()
        #expect(player.wait { !player.events("serverLost").isEmpty }, "\(player.said)")
        for words in [["start"], ["stop"], ["locate", "3.1.0"]] {
          let refused = try daw.run(["transport", "-p", "Song"] + words)
          #expect(refused.status == 69 && refused.error.contains("Nothing was changed"), "\(words): \(refused.error)")
        }
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }

    @Test("With --reconnect a server at another rate is said once, and one that fits is waited for")
    func reconnectAtAnotherRate() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--reconnect")
        #expect(player.wait { !player.events("transport").isEmpty })
        server.kill9()
        #expect(player.wait { !player.events("serverLost").isEmpty }, "\(player.said)")
        let status = try daw("-p", "Song", "transport", "status").text
        #expect(status.hasPrefix("Waiting at ") && status.contains("without a JACK server, revision"), "\(status)")
        let other = try JackServer(name: server.name, rate: 44_100)
        func mismatches() -> [[String: Any]] {
          player.events("problem").filter { $0["code"] as? String == "sampleRateMismatch" }
        }
        #expect(player.wait { !mismatches().isEmpty }, "\(player.said)")
        // Long enough for it to find that server again, for which it looks once a second.
        usleep(2_500_000)
        other.stop()
        let next = try JackServer(name: server.name)
        #expect(player.wait { !player.events("reconnected").isEmpty }, "\(player.said)")
        #expect(mismatches().count == 1, "\(player.said)")
        #expect((mismatches().first?["hint"] as? String)?.contains("-r 48000") == true, "\(player.said)")
        try player.transport("quit")
        #expect(player.finish().status == 0)
        next.stop()
      }
    }

    @Test("Ports have the names of the tracks, and come and go with them")
    func directOuts() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        try daw("-p", "Song", "add-track", "Drums: left")
        let server = try JackServer()
        let player = try LivePlayer(
          daw, "Song", on: server, "--name", "band", "--direct-outs", "--click", "--no-connect")
        let watcher = try CaptureClient(server: server.name)
        let fixed = ["band:out_1", "band:out_2", "band:click"]
        #expect(Set(watcher.ports(of: "band")) == Set(fixed + ["band:Drums  left_1", "band:Drums  left_2"]))
        try daw("-p", "Song", "add-track", "Bass")
        try daw("-p", "Song", "remove-track", "Drums: left")
        let expected = Set(fixed + ["band:Bass_1", "band:Bass_2"])
        #expect(player.wait { Set(watcher.ports(of: "band")) == expected }, "\(watcher.ports(of: "band"))")
        #expect(player.events("opened").first?["connectedPorts"] as? [String] == [])
        try #require(watcher.connect("band:Bass_1", "band:Bass_2"))
        try daw("-p", "Song", "remove-track", "Bass")
        #expect(player.wait { Set(watcher.ports(of: "band")) == Set(fixed) }, "\(watcher.ports(of: "band"))")
        try daw("-p", "Song", "undo")
        #expect(player.wait { watcher.connectionCount(ofInput: 0) == 1 && watcher.connectionCount(ofInput: 1) == 1 })
      }
    }

    @Test("Tracks that swap their names, or take that of one that goes, have the ports of their names")
    func names() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Edits.makeProject(daw)
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        try daw("-p", "Song", "add-track", "Quiet")
        // A MIDI track that is called as one of the other's ports is.
        try daw("-p", "Song", "add-track", "Quiet_1", "--type", "midi")
        let server = try JackServer()
        let player = try LivePlayer(
          daw, "Song", on: server, "--direct-outs", "--midi", "jack", "--no-connect", "--loop", "1.1.0..2.1.0")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect("\(player.client):Noise_1", "\(player.client):Quiet_1"))
        func isNoiseOnTheLeft(_ capture: CaptureClient) -> Bool {
          capture.startRecording()
          return player.wait {
            let (left, right, _) = capture.recording()
            return left.contains { $0 != 0 } && right.allSatisfy { $0 == 0 }
          }
        }
        #expect(isNoiseOnTheLeft(capture))
        #expect(capture.ports(of: player.client).contains("\(player.client):Quiet_1 2"))
        let swap = "set-track Noise --name Other\nset-track Quiet --name Noise\nset-track Other --name Quiet\n"
        try daw("-p", "Song", "batch", "-", input: swap)
        #expect(player.wait { player.events("edited").count == 1 }, "\(player.said)")
        let second = try CaptureClient(server: server.name, name: "second")
        try #require(second.connect("\(player.client):Quiet_1", "\(player.client):Noise_1"))
        #expect(isNoiseOnTheLeft(second))
        #expect(isNoiseOnTheLeft(capture), "a connection stays with its track")
        try daw("-p", "Song", "batch", "-", input: "remove-track Noise\nset-track Quiet --name Noise\n")
        let expected = ["out_1", "out_2", "Noise_1", "Noise_2", "Quiet_1_1", "Quiet_1_2", "Quiet_1"]
        let ports = { Set(capture.ports(of: player.client)) }
        #expect(player.wait { ports() == Set(expected.map { "\(player.client):\($0)" }) }, "\(ports())")
        let third = try CaptureClient(server: server.name, name: "third")
        try #require(third.connect("\(player.client):Noise_1", "\(player.client):Quiet_1_1"))
        #expect(isNoiseOnTheLeft(third))
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("A port that is not there is status 66; one that is takes both sides")
    func connections() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song")
        let server = try JackServer()
        let output = try daw.run(["play", "-p", "Song", "--server", server.name, "--connect", "nobody:in"])
        #expect(output.status == 66 && output.error.contains("nobody:in"), "\(output.error)")
        let watcher = try CaptureClient(server: server.name, name: "watcher")
        let player = try LivePlayer(daw, "Song", on: server, "--connect", "watcher:in_1")
        #expect(watcher.connectionCount(ofInput: 0) == 2)
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
