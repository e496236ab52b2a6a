import DAWTestSupport
import Foundation
import Testing

@Suite("The bounce, compared with an independent mix")
struct BounceMixTests {
  /// Bounces a song in blocks of a random length.
  /// - Parameter comparesPart: whether a part of it is bounced alone as well.
  private func compare(seed: UInt64, span: Int, comparesPart: Bool) throws {
    var random = SeededGenerator(seed: seed)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try RandomSong(seed: seed, span: span).make(with: daw)
      let block = [32, 333, 1_024].randomElement(using: &random) ?? 1
      func bounce(_ options: String...) throws -> [[Double]] {
        let common = ["bounce", "-p", "Song", "-o", "mix.wav", "--overwrite", "--bits", "32f", "--block", "\(block)"]
        let output = try daw.run(common + options)
        guard output.status == 0 else { throw DAWProgram.Failed(arguments: common + options, output: output) }
        return try PlainWave.read(folder.appendingPathComponent("mix.wav"))
      }
      let whole = try bounce("--tail", "20ms")
      let mix = try IndependentMix(
        json: daw("show", "--json", "--notes", "-p", "Song").data, folder: folder.appendingPathComponent("Song.daw"),
        frames: whole[0].count)
      #expect(mix.firstDifference(from: whole, startingAt: 0) == nil, "seed \(seed), span \(span)")
      guard comparesPart else { return }
      let start = Int.random(in: 1..<min(span, whole[0].count), using: &random)
      let end = Int.random(in: start + 1...whole[0].count, using: &random)
      let part = try bounce("--from", "\(start)f", "--to", "\(end)f", "--tail", "0s", "--allow", "silent")
      #expect(part[0].count == end - start)
      #expect(
        mix.firstDifference(from: part, startingAt: start) == nil, "seed \(seed), span \(span), \(start)..<\(end)")
    }
  }

  @Test("Random songs: every sample is within the roundings that its terms can have met", arguments: 0..<6)
  func randomSongs(song: Int) throws {
    try compare(seed: Seed.current() &+ UInt64(song), span: 20_000, comparesPart: true)
  }

  @Test(
    "Many short random songs: every sample is within the roundings that its terms can have met", arguments: 0..<20)
  func shortSongs(group: Int) throws {
    let count = AuditCount.current(usually: 5)
    for song in 0..<count {
      try compare(seed: Seed.current() &+ UInt64(count * group + song), span: 1_500, comparesPart: song % 4 == 0)
    }
  }

  @Test("Integer formats are the float bounce, rounded to the nearest step", arguments: [16, 24, 32])
  func integers(bits: Int) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try RandomSong(seed: 7, automatesMaster: false).make(with: daw)
      try daw("set-track", "Master", "--volume", "-18", "-p", "Song")
      try daw("bounce", "-p", "Song", "-o", "float.wav", "--bits", "32f")
      try daw("bounce", "-p", "Song", "-o", "integer.wav", "--bits", "\(bits)")
      let float = try PlainWave.read(folder.appendingPathComponent("float.wav"))
      let integer = try PlainWave.read(folder.appendingPathComponent("integer.wav"))
      let step = 1 / Double(1 << (bits - 1))
      for side in 0..<2 {
        #expect(float[side].count == integer[side].count)
        for frame in float[side].indices {
          let expected = (float[side][frame] / step).rounded(.toNearestOrEven) * step
          #expect(integer[side][frame] == min(max(expected, -1), 1 - step))
        }
      }
    }
  }

  @Test("A stereo region at 0 dB in the middle comes out as its own samples")
  func unity() throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      var song = RandomSong(seed: 3)
      let samples = song.noise(channels: 2, frames: 5000, bits: 24)
      try PlainWave.write(samples, bits: 24, rate: 48_000, to: folder.appendingPathComponent("a.wav"))
      try daw("new", "Song")
      try daw("add-track", "A", "-p", "Song")
      try daw("add-region", "A", "--file", "a.wav", "-p", "Song")
      try daw("bounce", "-p", "Song", "-o", "mix.wav", "--bits", "24")
      #expect(
        try PlainWave.read(folder.appendingPathComponent("mix.wav"))
          == PlainWave.read(folder.appendingPathComponent("a.wav")))
    }
  }
}
