import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWEngine

/// What a limiter may be fed.
private enum LimiterInput: String, CaseIterable {
  case noise, loudNoise, lowNoise, squares, fastSquares, steps, impulses, sines, beats

  func side(_ seed: UInt64, frames: Int = 9_600) -> [Float] {
    let noise = Signal.noise(seed: seed, frames: frames, channels: 1, peak: 1)
    switch self {
    case .noise: return noise
    case .loudNoise: return noise.map { $0 * 10 }
    case .lowNoise: return (0..<frames).map { i in (0..<8).reduce(0) { $0 + noise[max(0, i - $1)] } }
    case .squares: return (0..<frames).map { $0 / 50 % 2 == 0 ? 1 : -1 }
    case .fastSquares: return (0..<frames).map { $0 / 2 % 2 == 0 ? 1 : -1 }
    case .steps: return (0..<frames).map { [0.1, 1, 0.5, 2][$0 / 700 % 4] }
    case .impulses: return (0..<frames).map { $0 % 331 == 0 ? 4 : 0 }
    case .sines: return (0..<frames).map { Float(1.5 * sin(Double($0) * Double($0) * 1.6e-4)) }
    case .beats:
      return (0..<frames).map { Float(2 * sin(Double($0) * 0.01) * sin(Double($0) * (Double.pi / 2) + 0.8)) }
    }
  }
}

private func limited(
  _ signal: EffectRendering, rate: Int = 48_000, ceiling: Double, lookAhead: Double
) -> (left: [Float], right: [Float]) {
  signal.through(
    EffectSetup(kind: .limiter, sampleRate: rate, lookAhead: lookAhead),
    EffectKind.limiter.values(["ceiling": ceiling, "release": 30]))
}

@Test(arguments: LimiterInput.allCases.map(\.rawValue), [44_100, 48_000, 96_000])
func nothingComesOutAboveTheCeiling(input: String, rate: Int) throws {
  let input = try #require(LimiterInput(rawValue: input))
  let (ceiling, lookAhead) = rate == 44_100 ? (-6.0, 5.0) : (-1, 1)
  let (left, right) = limited(
    EffectRendering(input.side(1), input.side(2)), rate: rate, ceiling: ceiling, lookAhead: lookAhead)
  let greatest = zip(left, right).reduce(Float(0)) { max($0, abs($1.0), abs($1.1)) }
  #expect(Double(greatest) <= pow(10, ceiling / 20))
  #expect(Double(greatest) > pow(10, (ceiling - 6) / 20))
  let meter = try LoudnessMeter(sampleRate: SampleRate(hertz: rate), channelCount: 2)
  meter.add(interleaved: zip(left, right).flatMap { [$0, $1] }, frameCount: left.count)
  #expect(meter.loudness.truePeakLevel <= ceiling + 0.1)
}

@Test func soundBelowTheCeilingPassesAsItIs() {
  let signal = EffectRendering(
    Signal.noise(seed: 1, frames: 5_000, channels: 1, peak: 0.4),
    Signal.noise(seed: 2, frames: 5_000, channels: 1, peak: 0.4))
  let setup = EffectSetup(kind: .limiter, sampleRate: 48_000, lookAhead: 5)
  #expect(setup.latency == 246)
  let silence = [Float](repeating: 0, count: 246)
  let (left, right) = limited(signal, ceiling: 0, lookAhead: 5)
  #expect(left == silence + signal.left.dropLast(246))
  #expect(right == silence + (signal.right ?? []).dropLast(246))
}

/// The gain goes down before the peak and comes back after it, without a step; then it is 1 again.
@Test func gainMovesSmoothly() {
  var signal = [Float](repeating: 0.25, count: 40_000)
  for frame in 5_000..<5_400 { signal[frame] = 2 }
  let (left, _) = limited(EffectRendering(signal), ceiling: -6, lookAhead: 5)
  let gains = zip(left.dropFirst(246), signal).map { Double($0) / Double($1) }
  #expect(gains.prefix(4_990 - 246).allSatisfy { $0 == 1 })
  // A quarter of the signal is 12 dB below, so only the gain of the peak shows in it.
  #expect(abs(gains[5_200] - pow(10, -6 / 20) / 2) < 0.005)
  let steps = zip(gains, gains.dropFirst()).map { abs($1 - $0) }
  #expect(steps.allSatisfy { $0 < 2.0 / 240 })
  // The release's time constant is 30 ms; it begins when the peak has left the look-ahead.
  let (first, later) = (1 - gains[5_800], 1 - gains[5_800 + 1_440])
  #expect(abs(later / first - exp(-1)) < 0.001)
  #expect(gains.suffix(4_000 - 246).allSatisfy { $0 == 1 })
}

/// A sine that is limited all the time is a smaller sine: the smoothing limits it, not the last clamp.
@Test func steadySineKeepsItsShape() {
  let sine = Signal.sine(frequency: 3_000, rate: 48_000, frames: 9_600, amplitude: 2)
  let setup = EffectSetup(kind: .limiter, sampleRate: 48_000, lookAhead: 5)
  let (left, _) = EffectRendering(sine).through(setup, EffectKind.limiter.values(["ceiling": -6, "release": 1_000]))
  let pairs = zip(left.dropFirst(246 + 4_000), sine.dropFirst(4_000)).filter { abs($1) > 0.5 }
  let gains = pairs.map { Double($0) / Double($1) }
  let (least, greatest) = (gains.min() ?? 0, gains.max() ?? 1)
  #expect(greatest - least < 1e-4)
  #expect(abs(greatest - pow(10, -6 / 20) / 2) < 0.003)
}

@Test func slidingMinimumIsTheLeastOfTheLastValues() {
  var random = SeededGenerator(seed: 11)
  for length in [1, 2, 7, 50] {
    var minimum = SlidingMinimum(length: length)
    var values: [Double] = []
    for _ in 0..<2_000 {
      values.append(Double(Int.random(in: 0...20, using: &random)) / 12)
      #expect(minimum.next(values[values.count - 1]) == min(1, values.suffix(length).min() ?? 1))
    }
    minimum.free()
  }
}

@Test func raisedCosineWeighsTheLastValues() {
  var random = SeededGenerator(seed: 12)
  for length in [2, 8, 240] {
    var average = RaisedCosine(length: length)
    var values = [Double](repeating: 0, count: length)
    for number in 0..<3_000 {
      // Silence now and then, for longer than the window.
      values.append(number % 1_000 < 600 ? Double.random(in: 0...1, using: &random) : 0)
      let expected = (0..<length).reduce(0.0) { sum, i in
        let weight = 1 - cos(2 * Double.pi * (Double(i) + 0.5) / Double(length))
        return sum + weight * values[values.count - 1 - i] / Double(length)
      }
      let found = average.next(values[values.count - 1])
      guard abs(found - expected) < 1e-12, expected != 0 || found == 0 else {
        Issue.record("\(length), \(number): \(found), not \(expected)")
        break
      }
    }
    average.free()
  }
}
