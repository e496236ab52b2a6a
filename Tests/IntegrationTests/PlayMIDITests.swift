import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("MIDI through JACK")
  struct MIDI {
    static func makeProject(_ daw: DAWProgram) throws {
      try daw("new", "Song")
      try daw("-p", "Song", "add-track", "Keys", "--type", "midi")
      try daw("-p", "Song", "add-region", "Keys", "--name", "R", "--at", "0s", "--length", "60s")
      try daw("-p", "Song", "add-note", "Keys/R", "C4", "--at", "1000f", "--length", "12500f", "--velocity", "77")
      try daw("-p", "Song", "add-note", "Keys/R", "E4", "--at", "48000f", "--length", "40s", "--velocity", "99")
    }

    @Test("Each message comes at its own frame; a stop and the end leave no note")
    func exact() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Self.makeProject(daw)
        let server = try JackServer()
        let player = try LivePlayer(
          daw, "Song", on: server, "--transport", "jack", "--stopped", "--no-connect", "--midi", "jack")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        try #require(capture.connectMIDI("\(player.client):Keys"))
        _ = try Freewheel.captured(player, capture, frames: 96_000)
        let rolled = capture.messagesByTransport().map {
          [$0.frame, Int64($0.message.status), Int64($0.message.data1)]
        }
        #expect(rolled.contains([1_000, 0x90, 60]) && rolled.contains([13_500, 0x80, 60]), "\(rolled)")
        #expect(rolled.contains([48_000, 0x90, 64]), "\(rolled)")
        // The transport has stopped: the note that sounded is let go, and the channel's notes are off.
        let all = { capture.recordedMessages().map { [$0.status, $0.data1] } }
        #expect(player.wait { all().contains([0x80, 64]) && all().contains([0xb0, 123]) }, "\(all())")
        capture.locateTransport(to: 60_000)
        capture.startRecording()
        capture.startTransport()
        #expect(player.wait { all().contains([0x90, 64]) }, "\(all())")
        player.send(SIGTERM)
        #expect(player.finish().status == 143)
        #expect(all().contains([0x80, 64]) && all().contains([0xb0, 120]), "\(all())")
      }
    }

    @Test(
      "More than JACK's buffer holds comes in the next cycles, in order; a message longer than it is said and counted")
    func full() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder, environment: ["XDG_RUNTIME_DIR": folder.path])
        try daw("new", "Song")
        try daw("-p", "Song", "add-track", "Keys", "--type", "midi")
        try daw("-p", "Song", "add-region", "Keys", "--name", "R", "--at", "0s", "--length", "60s")
        // On one frame: all notes of sixteen channels, and 64 messages of 1,000 bytes; later, one of 100,000.
        var batch = "pitch,startTicks,durationTicks,velocity,channel\n"
        for channel in 1...16 {
          for pitch in 0..<128 { batch += "\(pitch),15360,300,80,\(channel)\n" }
        }
        try daw("-p", "Song", "add-notes", "Keys/R", "-", input: batch)
        var events = ""
        func exclusive(_ count: Int, at tick: Int) -> String {
          let bytes = "F0" + String(repeating: " 05", count: count - 2) + " F7"
          return "{\"kind\":\"sysex\",\"startTicks\":\(tick),\"bytes\":\"\(bytes)\"}\n"
        }
        for _ in 0..<64 { events += exclusive(1_000, at: 15_360) }
        events += exclusive(100_000, at: 30_720)
        try daw("-p", "Song", "add-events", "Keys/R", "-", input: events)
        let server = try JackServer(isPatient: true)
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "jack", "--stopped")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connectMIDI("\(player.client):Keys"))
        capture.startRecording()
        try player.transport("start")
        #expect(
          player.wait { player.events("problem").contains { $0["code"] as? String == "midiMessageTooLong" } },
          "\(player.said)"
        )
        let counts = { (status: UInt8) in capture.recordedMessages().count { $0.status & 0xf0 == status } }
        #expect(player.wait { counts(0x80) == 2_048 }, "\(counts(0x80)) of 2048 note-offs")
        #expect(counts(0x90) == 2_048)
        #expect(
          capture.recordedMessages().filter { $0.status == 0xf0 }.map(\.count) == Array(repeating: 1_000, count: 64))
        #expect(Signals.sounding(capture) == [])
        // A message of one frame comes before what follows it, however late.
        let kinds = capture.recordedMessages().map { $0.status & 0xf0 }
        #expect(kinds.lastIndex(of: 0xf0) ?? .max < kinds.firstIndex(of: 0x90) ?? 0)
        #expect(kinds.lastIndex(of: 0x90) ?? .max < kinds.firstIndex(of: 0x80) ?? 0)
        struct Lost: Decodable { var lostExclusives: Int }
        #expect(
          try daw.run(["transport", "-p", "Song", "status", "--json"]).json(Lost.self).lostExclusives == 1)
        try player.transport("quit")
        #expect(player.finish().status == 0)
      }
    }

    @Test("A track with an output of its own is left out of a bounce, which says so; --external plays it")
    func external() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Self.makeProject(daw)
        let shown = try daw("-p", "Song", "show", "--json", "--notes").data
        var song = try #require(try JSONSerialization.jsonObject(with: shown) as? [String: Any])
        var tracks = try #require(song["tracks"] as? [[String: Any]])
        tracks[0]["midiOutput"] = "Synth:0"
        song["tracks"] = tracks
        try JSONSerialization.data(withJSONObject: song).write(to: folder.appending(path: "song.json"))
        try daw("new", "Outside", "--from", "song.json")
        let bounce = [
          "-p", "Outside", "bounce", "-o", "a.wav", "--to", "1s", "--allow", "silent", "--allow", "missing",
        ]
        let outside = try daw.run(bounce)
        #expect(outside.status == 0 && outside.error.contains("left to its MIDI output, 'Synth:0'"), "\(outside.error)")
        let inside = try daw.run(bounce + ["--overwrite", "--external"])
        #expect(!inside.error.contains("left to its MIDI output"), "\(inside.error)")
        let quiet = try daw.run(bounce + ["--overwrite", "--allow", "external"])
        #expect(quiet.status == 0 && !quiet.error.contains("left to its MIDI output"), "\(quiet.error)")
      }
    }

    @Test("An edit that removes a sounding note ends it; a removed track's port goes when its notes have ended")
    func edits() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Self.makeProject(daw)
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--no-connect", "--midi", "jack", "--from", "1s")
        let capture = try CaptureClient(server: server.name)
        capture.startRecording()
        try #require(capture.connectMIDI("\(player.client):Keys"))
        try player.transport("locate", "2s")
        let all = { capture.recordedMessages().map { [$0.status, $0.data1] } }
        #expect(player.wait { all().contains([0x90, 64]) }, "\(all())")
        struct Note: Decodable { var id: String }
        let last = try daw("-p", "Song", "list-notes", "--json").json([Note].self).last
        try daw("-p", "Song", "remove-note", try #require(last?.id))
        #expect(player.wait { all().contains([0x80, 64]) }, "\(all()) \(player.said)")
        try daw("-p", "Song", "remove-track", "Keys")
        #expect(player.wait { !capture.ports(of: player.client).contains("\(player.client):Keys") })
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
