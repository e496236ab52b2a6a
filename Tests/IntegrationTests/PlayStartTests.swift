import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  /// Played by its own transport, with the server's clock until it sounds. Each cycle waits for its clients, so that
  /// none is missed.
  @Suite("From the first frame", .enabled(if: hasSoundFont))
  struct Start {
    private static let frames = 48_000

    /// Makes `Song.daw`: MIDI tracks that all sound from the first frame on.
    private func makeSong(_ daw: DAWProgram, tracks: Int) throws {
      try daw("new", "Song")
      var lines = ""
      for track in 0..<tracks {
        lines += "add-track 'Keys \(track)' --type midi --program \(3 * track) --volume -20\n"
        lines += "add-region 'Keys \(track)' --name 'Notes \(track)' --at 0f --length 48000f\n"
        for note in 0..<4 {
          lines += "add-note 'Notes \(track)' \(40 + track + 5 * note) --at \(note * 9_000)f --length 8000f\n"
        }
      }
      try daw("-p", "Song", "batch", "-", input: lines)
    }

    /// The beginning of the bounce, as it is after all edits.
    private func bounced(_ daw: DAWProgram) throws -> [[Float]] {
      try Freewheel.bounced(daw, "Song", frames: Int64(Self.frames)).map { $0.map(Float.init) }
    }

    /// Waits for a second of sound, and compares it with the bounce, from the first sound of either on. Once it sounds
    /// there is no clock any more, so that a busy machine makes nothing late.
    private func compare(_ capture: CaptureClient, _ player: LivePlayer, with bounce: [[Float]]) throws {
      #expect(player.wait { capture.recordedFrameCount > 0 }, "\(player.said)")
      capture.setFreewheel(true)
      #expect(player.wait { capture.recordedFrameCount > Self.frames + 4_096 }, "\(player.said)")
      capture.setFreewheel(false)
      let heard = capture.recording()
      let first = try #require(bounce[0].firstIndex { $0 != 0 })
      let begun = try #require(heard.left.firstIndex { $0 != 0 })
      #expect((begun - first).isMultiple(of: 256), "the first sound is heard \(begun - first) frames late in its cycle")
      let difference = (first..<Self.frames).first {
        heard.left[begun + $0 - first] != bounce[0][$0] || heard.right[begun + $0 - first] != bounce[1][$0]
      }
      #expect(difference == nil)
      #expect(try player.transport("status").lateFrames == 0)
      player.send(SIGINT)
      _ = player.finish()
    }

    @Test("Every instrument is there when it rolls: what is heard is the bounce", arguments: [1, 24])
    func fromTheStart(tracks: Int) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try makeSong(daw, tracks: tracks)
        let server = try JackServer(isPatient: true)
        let capture = try CaptureClient(server: server.name)
        capture.startRecording(withSound: true)
        let player = try LivePlayer(
          daw, "Song", on: server, "--connect", "\(capture.name):in_1", "--connect", "\(capture.name):in_2")
        try compare(capture, player, with: bounced(daw))
      }
    }

    @Test("Started as soon as the player has opened, what is heard is the bounce", arguments: [1, 24])
    func startedAtOnce(tracks: Int) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try makeSong(daw, tracks: tracks)
        let server = try JackServer(isPatient: true)
        let capture = try CaptureClient(server: server.name)
        capture.startRecording(withSound: true)
        let player = try LivePlayer(
          daw, "Song", on: server, "--stopped", "--connect", "\(capture.name):in_1", "--connect",
          "\(capture.name):in_2")
        try player.transport("start")
        try compare(capture, player, with: bounced(daw))
      }
    }

    @Test("Started right after an edit of what comes first, what is heard is the bounce", arguments: 1...5)
    func startedAfterAnEdit(edits: Int) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try makeSong(daw, tracks: 2)
        let server = try JackServer(isPatient: true)
        let player = try LivePlayer(daw, "Song", on: server, "--stopped", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        // Everything that the first plan needs is there.
        try player.transport("start")
        #expect(player.wait { (try? player.transport("status").state) == "rolling" }, "\(player.said)")
        try player.transport("stop")
        try player.transport("locate", "0s")
        #expect(player.wait { (try? player.transport("status").frame) == 0 }, "\(player.said)")
        capture.startRecording(withSound: true)
        for edit in 0..<edits {
          try daw("-p", "Song", "add-note", "Notes 0", "\(70 + edit)", "--at", "\(edit)f", "--length", "9000f")
        }
        try player.transport("start")
        try compare(capture, player, with: bounced(daw))
      }
    }
  }
}
