import DAWTestSupport
import Foundation
import Testing

@Suite(
  "Files of which libsndfile knows the container, and not what is in it",
  .enabled(if: isComplete || InstalledFFmpeg.isThere, "ffmpeg, an optional reader of audio files, is not installed."))
struct HalfKnownFormatTests {
  /// - Parameter body: with a file `a.wav` of half a second.
  private func withSong(_ body: (DAWProgram, URL) throws -> Void) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder, environment: ["DAW_PROJECT": "Song"])
      try daw("new", "Song")
      let tone = (0..<24_000).map { Int(8_000 * sin(Double($0) / 20)) }
      try PlainWave.write([tone, tone.reversed()], bits: 16, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try body(daw, folder)
    }
  }

  @Test(
    "A WAV of what libsndfile does not decode comes in by ffmpeg, and cannot stay where it is",
    arguments: ["ac3", "wmav2", "g722 -ar 16000 -af pan=mono|c0=c0"])
  func foreignWAV(codec: String) throws {
    try withSong { daw, folder in
      let options = codec.split(separator: " ").map(String.init)
      try InstalledFFmpeg.run(["-v", "error", "-i", "a.wav", "-c:a"] + options + ["b.wav"], in: folder)
      let linked = try daw.run(["import", "b.wav", "--link", "--json"])
      #expect(linked.status == 64 && linked.error.contains("invalidCombination"), "\(linked.error)")
      #expect(try daw("import", "b.wav").error.contains("by ffmpeg"))
      let sound = try PlainWave.read(folder.appendingPathComponent("Song.daw/Audio/b.wav"))
      #expect((sound.first?.map(abs).max() ?? 0) > 0.1)
      try daw("check")
      var alone = daw
      alone.environment["PATH"] = folder.path
      let refused = try alone.run(["import", "b.wav", "--json"])
      #expect(refused.status == 65 && refused.error.contains("apt install ffmpeg"), "\(refused.error)")
    }
  }

  @Test("Of what ffmpeg does not read either, libsndfile says why", arguments: [[], ["--link"]] as [[String]])
  func damaged(options: [String]) throws {
    try withSong { daw, folder in
      // A format of four bytes.
      let bytes = Data("RIFF\u{1c}\0\0\0WAVEfmt \u{4}\0\0\0\u{1}\0\u{1}\0data\u{4}\0\0\0abcd".utf8)
      try bytes.write(to: folder.appendingPathComponent("bad.wav"))
      let refused = try daw.run(["import", "bad.wav"] + options)
      #expect(refused.status == 65 && refused.error.contains("is damaged"), "\(refused.error)")
      #expect(!refused.error.contains("nor ffmpeg") && refused.error.contains("'fmt ' chunk"), "\(refused.error)")
    }
  }

  @Test("Floats of 24 bits, as Cool Edit wrote them, come in as what they are, and not as integers")
  func coolEdit() throws {
    try withSong { daw, folder in
      let sound = try PlainWave.read(folder.appendingPathComponent("a.wav"))
      var samples = Data()
      for frame in sound[0].indices {
        for channel in sound {
          withUnsafeBytes(of: Float(channel[frame] * 0x1p23).bitPattern.littleEndian) { samples.append(contentsOf: $0) }
        }
      }
      // Integers of 24 bits by their tag, two channels at 48,000 Hz, and 8 bytes a frame.
      let format: [UInt32] = [16, 0x2_0001, 48_000, 384_000, 24 << 16 | 8]
      var file = Data("RIFF".utf8)
      func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { file.append(contentsOf: $0) } }
      add(UInt32(36 + samples.count))
      file.append(Data("WAVEfmt ".utf8))
      for number in format { add(number) }
      file.append(Data("data".utf8))
      add(UInt32(samples.count))
      try (file + samples).write(to: folder.appendingPathComponent("cool.wav"))
      #expect(try daw("import", "cool.wav").error.contains("by ffmpeg"))
      #expect(try PlainWave.read(folder.appendingPathComponent("Song.daw/Audio/cool.wav")) == sound)
    }
  }
}
