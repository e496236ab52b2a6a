import DAWTestSupport
import Foundation
import Testing

extension PlayTests {
  @Suite("Metronome and loop")
  struct Metronome {
    @Test(
      "A bar is counted in, before the song's start and in its middle; then the song begins on its beat",
      arguments: [1, 3])
    func countIn(bar: Int) throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try daw("new", "Song", "--tempo", "240")
        try daw("-p", "Song", "add-track", "Noise")
        let noise = Signal.noise(seed: 1, frames: 240_000, channels: 1, peak: 0.5).map { Int($0 * 32_767) }
        try PlainWave.write([noise], bits: 16, rate: 48_000, to: daw.folder.appendingPathComponent("noise.wav"))
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        let server = try JackServer()
        let player = try LivePlayer(
          daw, "Song", on: server, "--count-in", "1", "--from", "\(bar).1.0", "--no-connect", "--stopped")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect("\(player.client):out_1", "\(player.client):click"))
        capture.setFreewheel(true)
        capture.startRecording(withSound: true)
        try player.transport("start")
        #expect(player.wait { capture.recordedFrameCount > 150_000 })
        capture.setFreewheel(false)
        let (song, click, _) = capture.recording()
        let begin = try #require(song.firstIndex { $0 != 0 })
        let firstClick = try #require(click.firstIndex { $0 != 0 })
        // Four beats of 12,000 frames; a tick begins with a sample of 0.
        #expect(begin - firstClick + 1 == 48_000, "\(begin) \(firstClick)")
        for beat in 1..<4 {
          #expect(click[firstClick + beat * 12_000 - 1..<firstClick + beat * 12_000 + 50].contains { $0 != 0 })
        }
        #expect(click[begin + 4_000..<begin + 40_000].allSatisfy { $0 == 0 })
        let first = (bar - 1) * 48_000
        let left = Float(0.5).squareRoot()
        for frame in stride(from: 0, to: 48_000, by: 1) {
          #expect(song[begin + frame] == Float(noise[first + frame]) / 32_768 * left || frame == 0)
        }
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }

    @Test("A loop goes round without a gap, to the sample")
    func loop() throws {
      try withScratchFolder { folder in
        let daw = DAWProgram(folder: folder)
        try Edits.makeProject(daw)
        try daw("-p", "Song", "add-region", "Noise", "--file", "noise.wav")
        let server = try JackServer()
        let player = try LivePlayer(daw, "Song", on: server, "--loop", "1000f..31003f", "--no-connect", "--stopped")
        let capture = try CaptureClient(server: server.name)
        try #require(capture.connect(player.client))
        capture.setFreewheel(true)
        capture.startRecording(withSound: true)
        try player.transport("start")
        #expect(player.wait { capture.recordedFrameCount > 150_000 })
        capture.setFreewheel(false)
        let heard = capture.recording().left
        let begin = try #require(heard.firstIndex { $0 != 0 })
        let expected = try Freewheel.bounced(daw, "Song", frames: 31_003)[0].map { Float($0) }
        let offset = expected[1_000] == 0 ? 1 : 0
        var differing = 0
        for frame in 0..<120_000 where heard[begin + frame] != expected[1_000 + (frame + offset) % 30_003] {
          differing += 1
        }
        #expect(differing == 0)
        player.send(SIGINT)
        #expect(player.finish().status == 130)
      }
    }
  }
}
