import DAWMedia
import DAWTestSupport
import Foundation

/// A project of audio regions in tracks and buses, with lanes and effects of which the outcome is known exactly
/// (`IndependentEffect`). It is never silent: the track `Always` is heard, at least at its beginning.
struct RandomSong {
  var generator: SeededGenerator
  /// About how many frames it lasts.
  let span: Int
  private let automatesMaster: Bool
  private var song = IndependentSong()

  /// - Parameter automatesMaster: otherwise the master has no lanes and no effects, so that what a test sets there
  ///   holds.
  init(seed: UInt64, span: Int = 20_000, automatesMaster: Bool = true) {
    generator = SeededGenerator(seed: seed)
    self.span = span
    self.automatesMaster = automatesMaster
  }

  /// Makes `Song.daw` in the program's folder, from JSON: a batch of as many commands takes seconds in a debug build.
  /// - Returns: whether something is soloed: what is added and shall be heard has to be, too.
  @discardableResult
  func make(with daw: DAWProgram) throws -> Bool {
    var random = self
    try random.writeFiles(to: daw.folder)
    random.song.panLaw = random.pick(["constantPowerMinus3dB", "linearMinus6dB", "compromiseMinus4_5dB", "balance0dB"])
    random.addTempos()
    let hasSolo = random.addMixer()
    let json = String(decoding: try JSONEncoder().encode(random.song), as: UTF8.self)
    try daw("new", "Song", "--from", "-", "--media", ".", "--new-ids", input: json)
    return hasSolo
  }

  private mutating func writeFiles(to folder: URL) throws {
    for index in 0..<4 {
      let (channels, frames, bits) = (number(1...2), number(1...span / 2), pick([16, 24, 32]))
      let url = folder.appendingPathComponent("\(index).wav")
      try PlainWave.write(noise(channels: channels, frames: frames, bits: bits), bits: bits, rate: 48_000, to: url)
      song.audioFiles.append(
        .init(
          path: "\(index).wav", sha256: try sha256(ofFile: url.path).sha256, frames: frames, sampleRate: 48_000,
          channelCount: channels))
    }
  }

  /// Tempos from slow ones to those at which a frame is longer than a tick.
  private mutating func addTempos() {
    song.tempo = Double(number(40...600))
    song.tempoMap.tempos = [.init(startTicks: 0, bpm: song.tempo, isRamp: isOne(in: 2))]
    var ticks: Int64 = 0
    for _ in 0..<number(0...2) {
      ticks += Int64(number(1...span / 2))
      song.tempoMap.tempos.append(.init(startTicks: ticks, bpm: Double(number(40...600)), isRamp: isOne(in: 2)))
    }
    song.tempoMap.tempos[song.tempoMap.tempos.count - 1].isRamp = false
  }

  /// - Returns: whether something is soloed.
  private mutating func addMixer() -> Bool {
    let trackNames = (0..<number(1...6)).map { "T\($0)" }
    let busNames = (0..<number(0...3)).map { "Bus\($0)" }
    let inOrder = trackNames + busNames
    let tracks = trackNames.enumerated().map { place, name in
      track(name, feeding: busNames, hearing: Array(inOrder.prefix(place)))
    }
    let buses = busNames.enumerated().map { place, name in
      bus(
        name, feeding: Array(busNames[(place + 1)...]), hearing: Array(inOrder.prefix(trackNames.count + place)))
    }
    song.groups = (0..<number(0...2)).map { group("G\($0)", of: inOrder) }
    // Ids follow this order: some buses have lower ids than what feeds them.
    song.tracks = buses.indices.filter { $0 % 2 == 0 }.map { buses[$0] } + tracks
    song.tracks += buses.indices.filter { $0 % 2 == 1 }.map { buses[$0] }
    let hasSolo = song.tracks.contains(where: \.isSolo) || song.groups.contains(where: \.isSolo)
    song.tracks.append(always(isSolo: hasSolo))
    song.tracks.append(master(isAutomated: automatesMaster, hearing: inOrder))
    return hasSolo
  }

  private func always(isSolo: Bool) -> IndependentSong.Strip {
    // Its sides differ: no inversion or width of the master makes them cancel each other.
    var strip = IndependentSong.Strip(name: "Always", trackType: "audio", volume: .init(value: -20), pan: 0.5)
    strip.isSolo = isSolo
    strip.regions = [
      .init(audioFile: "0.wav", startFlicks: 0, durationFlicks: 14_700 * Int64(song.audioFiles[0].frames))
    ]
    return strip
  }

  // MARK: Regions

  /// One, or two that were one before it was split.
  mutating func regions(onTrackOf channels: Int) -> [IndependentSong.Span] {
    let file = pick(song.audioFiles)
    let offset = number(0...file.frames - 1)
    let length = number(1...file.frames - offset)
    var region = IndependentSong.Span(
      audioFile: file.path, startFlicks: 14_700 * Int64(number(0...span)), durationFlicks: 14_700 * Int64(length),
      audioOffsetFlicks: 14_700 * Int64(offset), gain: decibels(-12...6), isMuted: isOne(in: 10))
    if file.channelCount == 2, channels == 1 { region.channels = pick(["left", "right", "mix"]) }
    if isOne(in: 2) { region.fadeIn = fade(over: length) }
    if isOne(in: 2) { region.fadeOut = fade(over: length) }
    guard length > 1, isOne(in: 3) else { return [region] }
    let first = 14_700 * Int64(number(1...length - 1))
    var second = region
    (region.durationFlicks, region.fadeOut) = (first, nil)
    second.startFlicks = (second.startFlicks ?? 0) + first
    second.audioOffsetFlicks = (second.audioOffsetFlicks ?? 0) + first
    (second.durationFlicks, second.fadeIn) = (14_700 * Int64(length) - first, nil)
    return [region, second]
  }

  private mutating func fade(over length: Int) -> IndependentSong.Ramp {
    let (visible, cut) = (number(1...length), pick([0, 0, number(1...span / 4)]))
    return .init(
      durationFlicks: 14_700 * Int64(visible + cut), cutFlicks: 14_700 * Int64(cut),
      shape: pick(["linear", "equalPower", "exponential", "sCurve"]))
  }

  // MARK: Choices

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  mutating func quarters(_ range: ClosedRange<Int>) -> Double { Double(number(range)) / 4 }

  mutating func decibels(_ range: ClosedRange<Int>) -> IndependentSong.Decibels { .init(value: Double(number(range))) }

  mutating func isOne(in count: Int) -> Bool { number(1...count) == 1 }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[number(0...choices.count - 1)] }

  mutating func noise(channels: Int, frames: Int, bits: Int) -> [[Int]] {
    let limit = 1 << (bits - 1)
    return (0..<channels).map { _ in generator.integers(frames, in: -limit..<limit) }
  }
}
