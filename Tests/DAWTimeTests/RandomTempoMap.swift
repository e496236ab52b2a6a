import DAWTestSupport
import DAWTime

extension SeededGenerator {
  mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }

  mutating func tempo() -> Tempo {
    switch number(0...2) {
    case 0: Tempo(bpm: number(5...999))
    // Tempos from MIDI files' microseconds per quarter note.
    case 1: Tempo(nanoBPM: 60_000_000 * Tempo.nanoPerBPM / number(60_061...12_000_000))
    default: Tempo(nanoBPM: number(Tempo.accepted.lowerBound.nanoBPM...Tempo.accepted.upperBound.nanoBPM))
    }
  }

  mutating func timeSignature() -> TimeSignature {
    let fixed = [TimeSignature(7, over: 8), TimeSignature(5, over: 16), .fourFour, TimeSignature(64, over: 1)]
    guard number(0...1) == 0, let picked = fixed.randomElement(using: &self) else {
      let denominator = TimeSignature.acceptedDenominators.randomElement(using: &self) ?? 4
      return TimeSignature(Int(number(1...64)), over: denominator)
    }
    return picked
  }

  /// Up to 60 tempos, some of them ramps, a tick to many bars apart, and up to 30 meters.
  mutating func tempoMap() throws -> TempoMap {
    var tempos = [TempoPoint(at: .zero, tempo(), isRamp: number(0...1) == 0)]
    for _ in 0..<number(0...60) {
      let longest: Int64 = [1, 3, 960, 61_440, 10_000_000].randomElement(using: &self) ?? 1
      guard let last = tempos.last else { break }
      let position = last.position + TickCount(ticks: number(1...longest))
      tempos.append(TempoPoint(at: position, tempo(), isRamp: number(0...1) == 0))
    }
    var meters = [MeterPoint(at: .zero, timeSignature())]
    for _ in 0..<number(0...30) {
      guard let last = meters.last else { break }
      let bars = TickCount(ticks: number(1...40) * last.timeSignature.bar.ticks)
      meters.append(MeterPoint(at: last.position + bars, timeSignature()))
    }
    return try TempoMap(tempos: tempos.shuffled(using: &self), meters: meters.shuffled(using: &self))
  }

  /// A position near a change, near the start, or anywhere, also before the start.
  mutating func tick(in map: TempoMap) -> TickPosition {
    let changes = map.tempos.map(\.position.ticks) + map.meters.map(\.position.ticks)
    let near = changes.randomElement(using: &self) ?? 0
    let reach: Int64 = [2, 1000, 1_000_000, 1 << 40].randomElement(using: &self) ?? 1
    return TickPosition(ticks: min(near + number(-reach...reach), TickPosition.timelineEnd.ticks))
  }
}

/// Runs a test with a new random seed; print `seed` in every failure.
func withRandomMaps(
  _ count: Int, _ body: (TempoMap, inout SeededGenerator, _ seed: UInt64) throws -> Void
) throws {
  let seed = Seed.current()
  var generator = SeededGenerator(seed: seed)
  for _ in 0..<count { try body(try generator.tempoMap(), &generator, seed) }
}
