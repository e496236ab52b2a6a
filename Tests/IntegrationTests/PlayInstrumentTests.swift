import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Instruments", .enabled(if: hasSoundFont))
  struct Instruments {
    /// Makes `Song.daw` of audio and MIDI tracks.
    private func makeSong(_ daw: DAWProgram, seed: UInt64, automatesMaster: Bool = true) throws {
      let hasSolo = try RandomSong(seed: seed, automatesMaster: automatesMaster).make(with: daw)
      try addInstruments(to: daw, seed: seed, isSolo: hasSolo)
    }

    @Test("Without a clock instruments are the bounce to the bit as well, whatever the buffer")
    func equalsBounce() throws {
      let seed = Seed.current()
      var random = SeededGenerator(seed: seed)
      var sizes = [16, 64, 256, 1_024, 4_096].shuffled(using: &random).prefix(2)
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try makeSong(daw, seed: seed)
        // With effects of every kind, some of them late, and levels that move.
        let edits = """
          add-effect 'Keys 0' reverb mix=0.5
          add-effect 'Keys 1' compressor threshold=-40 lookAhead=5 --key T0
          add-effect 'Keys 2' delay time=30 --post
          add-effect 'Keys 2' eq band2.gain=6
          add-effect Master limiter ceiling=-6
          add-point 'Keys 2' eq.band2.gain -6 --at 5000f
          add-point 'Keys 2' eq.band2.gain 6 --at 9000f

          """
        try daw("batch", "-", "-p", "Song", input: edits)
        let expected = try Freewheel.bounced(daw, "Song", frames: 96_000)
        let server = try JackServer(bufferSize: sizes.removeFirst())
        let player = try LivePlayer(daw, "Song", on: server, "--transport", "jack", "--stopped", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        let first = try Freewheel.captured(player, capture, frames: 96_000)
        #expect(Freewheel.firstDifference(first, expected) == nil, "seed \(seed)")
        for size in sizes {
          capture.setBufferSize(size)
          #expect(player.wait { !player.events("bufferSize").isEmpty })
          let again = try Freewheel.captured(player, capture, frames: 96_000)
          #expect(Freewheel.firstDifference(again, expected) == nil, "seed \(seed), \(size) frames")
        }
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("Each track's own ports carry its stem to the bit, and their sum is the master")
    func directOuts() throws {
      let seed = Seed.current()
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try makeSong(daw, seed: seed, automatesMaster: false)
        // Stems go through the master, the tracks' own ports do not.
        try daw(
          "-p", "Song", "set-track", "Master", "--volume", "0", "--pan", "0", "--trim", "0", "--invert", "none",
          "--stereo-width", "1")
        try daw(
          "-p", "Song", "bounce", "--stems", "-o", "stems", "--bits", "32f", "--to", "96000f", "--tail", "0s",
          "--allow",
          "silent")
        struct Track: Decodable {
          var id: String
          var name: String
          var trackType: String
          var outputBus: String?
          var isOutputConnected: Bool
          var feedsMaster: Bool { outputBus == nil && isOutputConnected }
        }
        let tracks = try daw("-p", "Song", "list-tracks", "--json").json([Track].self).filter {
          $0.trackType != "master"
        }
        let server = try JackServer(bufferSize: 512)
        let player = try LivePlayer(
          daw, "Song", on: server, "--transport", "jack", "--stopped", "--no-connect", "--direct-outs")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        let master = try Freewheel.captured(player, capture, frames: 96_000)
        let stems = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/stems").sorted()
        var (left, right) = ([Float](repeating: 0, count: 96_000), [Float](repeating: 0, count: 96_000))
        var compared = 0
        // What feeds the master has a stem; the master adds it in order of id.
        for track in tracks.sorted(by: { $0.id < $1.id }) {
          let own = try CaptureClient(server: server.name, name: "own")
          try #require(own.connect("\(player.client):\(track.name)_1", "\(player.client):\(track.name)_2"))
          let heard = try Freewheel.captured(player, own, frames: 96_000)
          guard track.feedsMaster else { continue }
          for frame in 0..<96_000 {
            left[frame] += heard.left[frame]
            right[frame] += heard.right[frame]
          }
          guard let stem = stems.first(where: { $0.hasSuffix("\(track.name).wav") }) else {
            #expect(heard.left.allSatisfy { $0 == 0 }, "seed \(seed), \(track.name): not heard, so it has no stem")
            continue
          }
          let expected = try PlainWave.read(folder.appending(path: "stems/\(stem)"))
          #expect(Freewheel.firstDifference(heard, expected) == nil, "seed \(seed), \(track.name)")
          compared += 1
        }
        #expect(compared == stems.filter { $0.hasSuffix(".wav") }.count && compared > 0, "\(stems)")
        #expect(left == master.left && right == master.right, "seed \(seed)")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("Behind a bar that was counted in, in mid-song, instruments sound as in a bounce from there")
    func countIn() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        // A bar is 48,000 frames, a whole number of an instrument's quanta.
        try daw("new", "Song", "--tempo", "240")
        var lines = "add-track Keys --type midi\nadd-region Keys --name R --at 0s --length 20s\n"
        for beat in 0..<40 { lines += "add-note Keys/R \(48 + beat) --at \(2 * beat)b --length 1.5b\n" }
        // One sounds across the beginning, one ends in what is counted in.
        lines += "add-note Keys/R 90 --at 0b --length 70b\nadd-note Keys/R 91 --at 1b --length 5b\n"
        try daw("-p", "Song", "batch", "-", input: lines)
        try daw(
          "-p", "Song", "bounce", "-o", "from.wav", "--bits", "32f", "--from", "3.1.0", "--to", "11.1.0", "--chase",
          "--tail", "0s")
        let expected = try PlainWave.read(folder.appending(path: "from.wav"))[0].map { Float($0) }
        let server = try JackServer()
        let player = try LivePlayer(
          daw, "Song", on: server, "--count-in", "1", "--from", "3.1.0", "--no-connect", "--stopped")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect("\(player.client):out_1", "\(player.client):click"))
        capture.setFreewheel(true)
        capture.startRecording(withSound: true)
        try player.transport("start")
        #expect(player.wait { capture.recordedFrameCount > 480_000 })
        capture.setFreewheel(false)
        let (heard, click, _) = capture.recording()
        // A tick begins with a sample of 0.
        let beginning = try #require(click.firstIndex { $0 != 0 }) - 1 + 48_000
        #expect(heard[..<beginning].allSatisfy { $0 == 0 }, "nothing sounds in what is counted in")
        let count = min(expected.count, heard.count - beginning)
        #expect(count > 300_000)
        let first = (0..<count).first { heard[beginning + $0] != expected[$0] }
        #expect(first == nil)
        #expect(expected[240_000..<count].contains { $0 != 0 })
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("A tempo that another process sets is heard at once; each note comes once, in order, and none hangs")
    func tempo() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song", "--tempo", "120")
        var lines = "add-track Keys --type midi\nadd-region Keys --name R --at 0b --length 100b\n"
        for note in 0..<100 { lines += "add-note Keys/R \(note + 10) --at \(note)b --length 0.5b\n" }
        try daw("-p", "Song", "batch", "-", input: lines)
        let server = try JackServer(isPatient: true)
        let player = try LivePlayer(daw, "Song", on: server, "--stopped", "--no-connect", "--midi", "jack")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        try #require(capture.connectMIDI("\(player.client):Keys"))
        capture.startRecording()
        try player.transport("start")
        let struck = { capture.recordedMessages().filter { $0.status == 0x90 && $0.data2 > 0 } }
        for tempo in ["300", "60", "240", "480"] {
          let before = struck().count
          #expect(player.wait { struck().count >= before + 4 }, "\(player.said)")
          try daw("-p", "Song", "set-project", "--tempo", tempo)
        }
        let before = struck().count
        #expect(player.wait { struck().count >= before + 8 }, "\(player.said)")
        #expect(player.events("edited").count == 4, "\(player.said)")
        // The sound goes on with it.
        let heard = capture.recording().left
        #expect(heard.suffix(24_000).contains { $0 != 0 })
        try player.transport("stop")
        #expect(player.wait { (try? player.transport("status").state) == "stopped" })
        let messages = capture.recordedMessages().filter { $0.status & 0xe0 == 0x80 }
        let on = messages.filter { $0.status == 0x90 && $0.data2 > 0 }
        let off = messages.filter { $0.status == 0x80 || $0.data2 == 0 }
        #expect(on.map(\.data1) == on.indices.map { UInt8($0 + 10) }, "each once, and in order: \(on.map(\.data1))")
        #expect(off.map(\.data1) == on.map(\.data1), "\(off.map(\.data1))")
        // The newest tempo is the one that holds: 480 beats a minute are 6,000 frames each, where no cycle was lost.
        let status = try player.transport("status")
        if status.xruns == 0 {
          let steps = zip(on.suffix(5), on.suffix(5).dropFirst()).map { $1.frame - $0.frame }
          #expect(steps.allSatisfy { $0 == 6_000 }, "\(steps)")
        }
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
