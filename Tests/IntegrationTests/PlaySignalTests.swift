import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Signals")
  struct Signals {
    /// A project with a long note that is played, and a client that hears it.
    private func whilePlaying(
      _ body: (DAWProgram, LivePlayer, CaptureClient, URL) throws -> Void
    ) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        try daw("-p", "Song", "add-track", "Keys", "--type", "midi")
        try daw("-p", "Song", "add-region", "Keys", "--name", "R", "--at", "0s", "--length", "600s")
        for (pitch, channel) in [("0", "1"), ("C4", "1"), ("127", "16")] {
          try daw("-p", "Song", "add-note", "Keys/R", pitch, "--at", "0s", "--length", "600s", "--channel", channel)
        }
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "jack", "--stopped")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connectMIDI("\(player.client):Keys"))
        capture.startRecording()
        // A cycle of the control thread later the watchdog knows of the connection.
        #expect(player.wait { (try? player.transport("status").state) == "stopped" })
        try player.transport("start")
        // A client that misses a cycle of the server misses its notes; they are sent again behind a locate.
        for _ in 0..<10 where !player.wait(atMost: 6, for: { Self.sounding(capture).count == 3 }) {
          try player.transport("locate", "0s")
        }
        #expect(Self.sounding(capture).count == 3, "\(capture.recordedMessages())")
        try body(daw, player, capture, folder)
      }
    }

    /// What a synthesizer would play: channel × 128 + pitch.
    static func sounding(_ capture: CaptureClient) -> Set<Int> {
      var notes: Set<Int> = []
      for message in capture.recordedMessages() {
        let note = Int(message.status & 0x0f) * 128 + Int(message.data1)
        if message.status & 0xf0 == 0x90, message.data2 > 0 { notes.insert(note) }
        if message.status & 0xf0 == 0x80 { notes.remove(note) }
      }
      return notes
    }

    @Test(
      "Ctrl-C, SIGTERM and a hangup end it alike: notes end, no socket is left, the status is 128 and the signal",
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func ended(signal: Int32) throws {
      try whilePlaying { _, player, capture, folder in
        player.send(signal)
        let output = player.finish()
        #expect(output.status == 128 + signal && output.signal == nil, "\(output.status)")
        #expect(output.text.contains("\"reason\":\"interrupted\""), "\(output.text)")
        #expect(Self.sounding(capture) == [])
        let sockets = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/daw")
        #expect(sockets.isEmpty)
      }
    }

    @Test("The hangups that a terminal sends at its end, several at once, cut no note off")
    func hangups() throws {
      try whilePlaying { _, player, capture, _ in
        while player.isRunning {
          player.send(SIGHUP)
          usleep(500)
        }
        let output = player.finish()
        #expect(output.status == 129)
        #expect(output.text.contains("\"reason\":\"interrupted\""), "it has ended in its order: \(output.text)")
        #expect(Self.sounding(capture) == [])
      }
    }

    @Test("The two signals that 'timeout' sends at once are one")
    func twoAtOnce() throws {
      try whilePlaying { _, player, capture, _ in
        for pause: UInt32 in [5_000, 0] {
          player.send(SIGTERM)
          usleep(pause)
        }
        let output = player.finish()
        #expect(output.status == 143)
        #expect(output.text.contains("\"reason\":\"interrupted\""), "it has ended in its order: \(output.text)")
        #expect(Self.sounding(capture) == [])
      }
    }

    @Test("What kill -9 leaves sounding on JACK's ports is ended")
    func killed() throws {
      try whilePlaying { _, player, capture, _ in
        player.kill()
        #expect(player.finish().signal == SIGKILL)
        let deadline = ContinuousClock.now + .seconds(60)
        while !Self.sounding(capture).isEmpty, ContinuousClock.now < deadline { usleep(10_000) }
        #expect(Self.sounding(capture) == [], "\(capture.recordedMessages())")
      }
    }

    @Test("A player ends when the reader of its events is gone; a recording goes on", arguments: ["play", "record"])
    func withoutReader(command: String) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        try daw("-p", "Song", "add-track", "Vox")
        try daw("-p", "Song", "set-track", "Vox", "--arm", "--input", "system:capture_1")
        let server = try JackServer()
        let isPlayer = command == "play"
        let text = try runShell(
          in: folder,
          input: """
            export XDG_RUNTIME_DIR=$PWD
            (
              timeout \(isPlayer ? 60 : 5) daw \(command) -p Song --server \(server.name) --no-connect --midi none --json
              echo "status $?" >&2
            ) | head -n 2
            """
        ).text
        // timeout's own is 124.
        #expect(text.contains("status \(isPlayer ? 141 : 124)\n"), "\(text)")
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/daw")
        #expect(left.isEmpty, "\(left)")
      }
    }

    @Test("A signal that is ignored when the player starts stays so", arguments: ["HUP", "INT", "TERM"])
    func ignored(name: String) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        let server = try JackServer()
        var deaf = daw
        deaf.path = "/usr/bin/env"
        let running = try deaf.start([
          "--ignore-signal=\(name)", DAWProgram.path, "play", "-p", "Song", "--server", server.name, "--no-connect",
          "--midi", "none",
        ])
        defer { if running.process.isRunning { running.kill() } }
        let deadline = ContinuousClock.now + .seconds(60)
        while try daw.run(["transport", "-p", "Song", "status"]).status != 0, ContinuousClock.now < deadline {}
        let number = name == "HUP" ? SIGHUP : name == "INT" ? SIGINT : SIGTERM
        for _ in 0..<3 { running.send(number) }
        // An answer later than the signal: it has not ended it.
        for _ in 0..<3 { try daw("transport", "-p", "Song", "status") }
        try daw("transport", "-p", "Song", "quit")
        #expect(running.finish().status == 0)
      }
    }
  }
}
