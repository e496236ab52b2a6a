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

/// A project of audio regions, made by commands.
struct RandomSong {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func noise(channels: Int, frames: Int, bits: Int) -> [[Int]] {
    let limit = 1 << (bits - 1)
    return (0..<channels).map { _ in (0..<frames).map { _ in Int.random(in: -limit..<limit, using: &generator) } }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  /// Makes `Song.daw` in the program's folder, in one batch.
  /// - Returns: whether a track is soloed: what is added and shall be heard has to be, too.
  @discardableResult
  func make(with daw: DAWProgram) throws -> Bool {
    var song = self
    return try song.makeSong(with: daw)
  }

  private mutating func makeSong(with daw: DAWProgram) throws -> Bool {
    var files: [(name: String, channels: Int, frames: Int)] = []
    for index in 0..<4 {
      let (channels, frames, bits) = (number(1...2), number(1...9000), [16, 24, 32][number(0...2)])
      try PlainWave.write(
        noise(channels: channels, frames: frames, bits: bits), bits: bits, rate: 48_000,
        to: daw.folder.appendingPathComponent("\(index).wav"))
      files.append(("\(index).wav", channels, frames))
    }
    try daw("new", "Song")
    let laws = ["constantPowerMinus3dB", "linearMinus6dB", "compromiseMinus4_5dB", "balance0dB"]
    var lines = ["set-project --pan-law \(laws[number(0...3)])"]
    lines.append("set-track Master --volume \(number(-12...6)) --pan \(Double(number(-4...4)) / 4)")
    var hasSolo = false
    for track in 0..<number(1...6) {
      let channels = number(1...2)
      var line =
        "add-track T\(track) --channels \(channels) --volume \(number(-24...12)) --pan \(Double(number(-10...10)) / 10)"
      if number(0...1) == 0 { line += " --overlap crossfade" }
      if number(0...7) == 0 { line += " --mute" }
      if number(0...15) == 0 {
        line += " --solo"
        hasSolo = true
      }
      lines.append(line)
      for _ in 0..<number(1...6) {
        let file = files[number(0...files.count - 1)]
        let (start, offset) = (number(0...20_000), number(0...file.frames - 1))
        let length = number(1...file.frames - offset)
        let name = "r\(lines.count)"
        var line = "add-region T\(track) --file \(file.name) --at \(start)f --offset \(offset)f"
        line += " --length \(length)f --gain \(number(-12...6)) --as \(name)"
        for fade in ["--fade-in", "--fade-out"] where number(0...1) == 0 {
          line += " \(fade) \(number(1...length))f \(fade)-shape "
          line += ["linear", "equalPower", "exponential", "sCurve"][number(0...3)]
        }
        if file.channels == 2, channels == 1 { line += " --channel \(["left", "right", "mix"][number(0...2)])" }
        if number(0...9) == 0 { line += " --mute" }
        lines.append(line)
        if number(0...2) == 0, length > 2 {
          lines.append("split-region %\(name) --at \(start + number(1...length - 1))f")
        }
      }
    }
    lines.append("add-track Always --volume -20" + (hasSolo ? " --solo" : ""))
    lines.append("add-region Always --file 0.wav")
    try daw("batch", "-", "-p", "Song", input: lines.joined(separator: "\n") + "\n")
    return hasSolo
  }
}
