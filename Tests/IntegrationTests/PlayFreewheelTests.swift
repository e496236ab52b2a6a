import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Compared with the bounce")
  struct Freewheel {
    /// Plays the first frames of a project by JACK's transport, without a clock, into a capture client.
    static func captured(
      _ player: LivePlayer, _ capture: CaptureClient, frames: Int64
    ) throws -> (left: [Float], right: [Float]) {
      capture.stopTransport()
      capture.locateTransport(to: 0)
      guard player.wait(for: { !capture.transport().isRolling && capture.transport().position.frame == 0 }) else {
        throw LivePlayer.Silent(said: "not at 0")
      }
      capture.setFreewheel(true)
      defer { capture.setFreewheel(false) }
      capture.startRecording()
      capture.startTransport()
      var found: (left: [Float], right: [Float])?
      let isThere = player.wait {
        guard capture.recordedFrameCount >= frames else { return false }
        found = capture.samples(ofTransport: 0..<frames)
        return found != nil
      }
      capture.stopTransport()
      guard isThere, let found else {
        throw LivePlayer.Silent(said: "\(capture.recordedFrameCount) frames captured; \(player.said)")
      }
      return found
    }

    /// The same frames of the bounce.
    static func bounced(_ daw: DAWProgram, _ project: String, frames: Int64) throws -> [[Double]] {
      try daw(
        "bounce", "-p", project, "-o", "bounce.wav", "--bits", "32f", "--overwrite", "--to", "\(frames)f", "--tail",
        "0s",
        "--allow", "silent")
      return try PlainWave.read(daw.folder.appendingPathComponent("bounce.wav"))
    }

    /// Makes `Song.daw`, a random one that is not silent.
    /// - Returns: its bounce.
    static func makeSong(_ daw: DAWProgram, seed: UInt64) throws -> [[Double]] {
      var random = SeededGenerator(seed: seed)
      while true {
        try RandomSong(seed: random.next()).make(with: daw)
        let bounce = try bounced(daw, "Song", frames: 96_000)
        if bounce[0].contains(where: { $0 != 0 }) { return bounce }
        try FileManager.default.removeItem(at: daw.folder.appendingPathComponent("Song.daw"))
      }
    }

    static func firstDifference(_ captured: (left: [Float], right: [Float]), _ bounced: [[Double]]) -> String? {
      for frame in bounced[0].indices {
        let (left, right) = (Double(captured.left[frame]), Double(captured.right[frame]))
        if left != bounced[0][frame] || right != bounced[1][frame] {
          return "frame \(frame): heard \(left), \(right), bounced \(bounced[0][frame]), \(bounced[1][frame])"
        }
      }
      return nil
    }

    @Test("Without a clock the ports carry the bounce to the bit, whatever the buffer, and after it has changed")
    func equalsBounce() throws {
      let seed = Seed.current()
      var random = SeededGenerator(seed: seed)
      var sizes = [16, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096].shuffled(using: &random).prefix(3)
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        let expected = try Self.makeSong(daw, seed: seed)
        let server = try JackServer(bufferSize: sizes.removeFirst())
        let player = try LivePlayer(daw, "Song", on: server, "--transport", "jack", "--stopped", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        let first = try Self.captured(player, capture, frames: 96_000)
        #expect(Self.firstDifference(first, expected) == nil, "seed \(seed)")
        for size in sizes {
          capture.setBufferSize(size)
          #expect(player.wait { !player.events("bufferSize").isEmpty })
          let again = try Self.captured(player, capture, frames: 96_000)
          #expect(Self.firstDifference(again, expected) == nil, "seed \(seed), \(size) frames")
        }
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("A region that is reversed while it plays is heard as it is bounced, from a copy that the player has made")
    func reversed() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        let ramp = (0..<24_000).map { $0 - 12_000 }
        try PlainWave.write([ramp, ramp], bits: 16, rate: 48_000, to: folder.appending(path: "ramp.wav"))
        try daw("new", "Song")
        try daw("add-track", "T", "-p", "Song")
        try daw("add-region", "T", "--file", "ramp.wav", "--name", "Ramp", "-p", "Song")
        let server = try JackServer(bufferSize: 256)
        let player = try LivePlayer(daw, "Song", on: server, "--transport", "jack", "--stopped", "--no-connect")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        try daw("reverse-region", "T/Ramp", "-p", "Song")
        let cache = folder.appending(path: "Song.daw/Cache").path
        #expect(
          player.wait {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
            return names.contains { $0.hasSuffix("-reversed.wav") && !$0.hasPrefix(".") }
          })
        let expected = try Self.bounced(daw, "Song", frames: 24_000)
        #expect(expected[0].first == Double(ramp[23_999]) / 32_768)
        var difference: String? = "nothing was heard"
        #expect(
          player.wait {
            guard let heard = try? Self.captured(player, capture, frames: 24_000) else { return false }
            difference = Self.firstDifference(heard, expected)
            return difference == nil
          }, "\(difference ?? "")")
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
