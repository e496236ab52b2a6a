import DAWTestSupport
import Foundation
import Testing

@Suite("The bounce, compared with an independent mix")
struct BounceMixTests {
  @Test("Random songs: every sample is within the roundings that its terms can have met", arguments: 0..<6)
  func randomSongs(song: Int) throws {
    let seed = Seed.current() &+ UInt64(song)
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try RandomSong(seed: seed).make(with: daw)
      let json = try daw("show", "--json", "-p", "Song").data
      for block in ["1024", "333"] {
        try daw(
          "bounce", "-p", "Song", "-o", "mix-\(block).wav", "--bits", "32f", "--allow", "silent", "--block", block)
      }
      let bounced = try PlainWave.read(folder.appendingPathComponent("mix-1024.wav"))
      #expect(try PlainWave.read(folder.appendingPathComponent("mix-333.wav")) == bounced, "seed \(seed)")
      let mix = try IndependentMix(
        json: json, folder: folder.appendingPathComponent("Song.daw"), frames: bounced[0].count)
      var worst = 0.0
      for frame in mix.left.indices {
        let bound = Double(mix.steps + 2) * 0x1p-24 * mix.magnitude[frame]
        for (side, expected) in [(0, mix.left[frame]), (1, mix.right[frame])] {
          let error = abs(bounced[side][frame] - expected)
          if error > bound { worst = max(worst, error - bound) }
        }
      }
      #expect(worst == 0, "seed \(seed): \(worst) beyond the bound")
      #expect(mix.magnitude.contains { $0 > 0 }, "seed \(seed): nothing sounds")
    }
  }

  @Test("Integer formats are the float bounce, rounded to the nearest step", arguments: [16, 24, 32])
  func integers(bits: Int) throws {
    try withScratchFolder { folder in
      let daw = DAWProgram(folder: folder)
      try RandomSong(seed: 7).make(with: daw)
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
