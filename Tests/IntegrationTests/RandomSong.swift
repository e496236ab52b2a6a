import DAWTestSupport
import Foundation

/// A project of audio regions in tracks and buses, made by commands.
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
    lines.append("set-track Master --volume \(number(-12...6)) --pan \(Double(number(-4...4)) / 4)" + shape())
    var hasSolo = false
    let trackCount = number(1...6)
    let buses = (0..<number(0...3)).map { "Bus\($0)" }
    // Those of odd numbers have higher ids than the tracks.
    for bus in buses.indices where bus % 2 == 0 { lines.append("add-track \(buses[bus]) --type bus") }
    for track in 0..<trackCount {
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
    for bus in buses.indices where bus % 2 == 1 { lines.append("add-track \(buses[bus]) --type bus") }
    if addRouting(of: (0..<trackCount).map { "T\($0)" }, buses, to: &lines) { hasSolo = true }
    lines.append("add-track Always --volume -20" + (hasSolo ? " --solo" : ""))
    lines.append("add-region Always --file 0.wav")
    try daw("batch", "-", "-p", "Song", input: lines.joined(separator: "\n") + "\n")
    return hasSolo
  }

  // MARK: Routing

  /// Options of a strip's trim, inversion and width, or none.
  private mutating func shape() -> String {
    var options = ""
    if number(0...2) == 0 { options += " --trim \(number(-12...6))" }
    if number(0...2) == 0 { options += " --invert \(["left", "right", "both"][number(0...2)])" }
    if number(0...2) == 0 { options += " --stereo-width \(Double(number(-4...8)) / 4)" }
    return options
  }

  /// Outputs, sends, groups and settings of strips. A bus feeds only those after it.
  /// - Returns: whether a bus or a group is soloed.
  private mutating func addRouting(of tracks: [String], _ buses: [String], to lines: inout [String]) -> Bool {
    var hasSolo = false
    for (place, strip) in (buses + tracks).enumerated() {
      let targets = Array(place < buses.count ? buses[(place + 1)...] : buses[...])
      var line = "set-track \(strip)" + shape()
      if place < buses.count {
        line += " --volume \(number(-18...0)) --pan \(Double(number(-4...4)) / 4)"
        if number(0...7) == 0 { line += " --mute" }
        if number(0...15) == 0 {
          line += " --solo"
          hasSolo = true
        }
      }
      if number(0...7) == 0 { line += " --solo-safe" }
      if number(0...9) == 0 {
        line += " --output none"
      } else if let bus = targets.randomElement(using: &generator), number(0...2) > 0 {
        line += " --output \(bus)"
      }
      if line != "set-track \(strip)" { lines.append(line) }
      for bus in targets where number(0...2) == 0 {
        var line = "add-send \(strip) \(bus) --level \(number(-24...0))"
        if number(0...2) == 0 { line += " --pre" }
        if number(0...1) == 0 { line += " --pan \(Double(number(-4...4)) / 4)" }
        if number(0...5) == 0 { line += " --mute" }
        lines.append(line)
      }
    }
    for group in 0..<number(0...2) {
      var line = "add-group G\(group) --volume \(number(-9...3))"
      for strip in buses + tracks where number(0...2) == 0 { line += " --track \(strip)" }
      guard line.contains("--track") else { continue }
      if number(0...9) == 0 { line += " --mute" }
      if number(0...15) == 0 {
        line += " --solo"
        hasSolo = true
      }
      lines.append(line)
    }
    return hasSolo
  }
}
