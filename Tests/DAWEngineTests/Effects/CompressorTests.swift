import DAWTestSupport
import Foundation
import Testing

@testable import DAWEngine

private let rate = 48_000

/// A signal of constant magnitude.
private func constant(_ level: Double, frames: Int) -> [Float] {
  let size = Float(pow(10, level / 20))
  return (0..<frames).map { $0 / 24 % 2 == 0 ? size : -size }
}

private func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

/// The gain in dB of each frame.
private func gains(_ before: [Float], _ after: [Float]) -> [Double] {
  zip(before, after).map { decibels(Double($1) / Double($0)) }
}

private func compress(_ signal: EffectRendering, _ values: [String: Double], lookAhead: Double = 0) -> [Float] {
  signal.through(
    EffectSetup(kind: .compressor, sampleRate: rate, lookAhead: lookAhead), EffectKind.compressor.values(values)
  ).left
}

@Test(arguments: [0.0, 12], [2.0, 100])
func staticCurveIsThatOfThePaper(knee: Double, ratio: Double) throws {
  let threshold = -30.0
  for level in [-60.0, -37, -33, -30, -25, -12, 0] {
    for detector in [0.0, 1] {
      let signal = constant(level, frames: 5_000)
      let found = compress(
        EffectRendering(signal),
        [
          "threshold": threshold, "ratio": ratio, "knee": knee, "makeUp": 3, "attack": 5, "release": 20,
          "detector": detector,
        ])
      let over = level - threshold
      var lowered = 0.0
      if 2 * over > knee {
        lowered = (1 - 1 / ratio) * over
      } else if 2 * over > -knee {
        lowered = (1 - 1 / ratio) * pow(over + knee / 2, 2) / (2 * knee)
      }
      let gain = try #require(gains(signal, found).last)
      #expect(abs(gain - (3 - lowered)) < 0.02, "\(level) dB, detector \(detector)")
    }
  }
}

/// After the time constant 1/e of the way is left.
@Test(arguments: [1.0, 60])
func attackAndReleaseHaveTheirTimeConstants(time: Double) {
  let frames = Int(time * Double(rate) / 1_000)
  let values: [String: Double] = ["threshold": -20, "ratio": 2, "knee": 0]
  let loud = constant(-10, frames: 6_000)
  let attack = gains(
    loud, compress(EffectRendering(loud), values.merging(["attack": time, "release": 5]) { $1 }))
  let expected: Double = -5 * (1 - exp(-1))
  #expect(abs(attack[frames - 1] - expected) < 0.01)

  let release = max(time, 5)
  let quiet = loud + constant(-40, frames: 6_000)
  let gain = gains(
    quiet, compress(EffectRendering(quiet), values.merging(["attack": 0.1, "release": release]) { $1 }))
  let end = 6_000 + Int(release * Double(rate) / 1_000) - 1
  // The attack smooths the release as well: e^(−t/r) becomes (r e^(−t/r) − a e^(−t/a)) ÷ (r − a).
  let left = release * exp(-1) / (release - 0.1)
  #expect(abs(gain[5_999] - -5) < 0.01)
  let remaining: Double = -5 * left
  #expect(abs(gain[end] - remaining) < 0.02)
}

@Test func keyDecidesOnTheReduction() {
  var signal = EffectRendering(constant(-12, frames: 4_800), constant(-12, frames: 4_800))
  signal.keyLeft = [Float](repeating: 0, count: 4_800)
  #expect(compress(signal, ["threshold": -40]) == signal.left)
  signal.keyLeft = constant(-20, frames: 4_800)
  let found = gains(signal.left, compress(signal, ["threshold": -40, "ratio": 2, "knee": 0, "attack": 1]))
  #expect(abs(found[4_799] - -10) < 0.02)
}

@Test func linkedSidesAreLoweredAlike() {
  let signal = EffectRendering(constant(-40, frames: 4_800), constant(-20, frames: 4_800))
  let setup = EffectSetup(kind: .compressor, sampleRate: rate)
  for (link, left) in [(1.0, -5.0), (0, 0)] {
    let values = EffectKind.compressor.values(["threshold": -30, "ratio": 2, "knee": 0, "attack": 1, "link": link])
    let found = signal.through(setup, values)
    #expect(abs(gains(signal.left, found.left)[4_799] - left) < 0.02)
    #expect(abs(gains(signal.right ?? [], found.right)[4_799] - -5) < 0.02)
  }
}

@Test func keyIsFilteredBeforeItIsMeasured() {
  let bass = Signal.sine(frequency: 50, rate: Double(rate), frames: 9_600)
  #expect(compress(EffectRendering(bass), ["threshold": -20]) != bass)
  let found = compress(EffectRendering(bass), ["threshold": -20, "knee": 0, "keyHighPass": 1_000])
  // 50 Hz passes at −52 dB once the onset is over.
  #expect(zip(found, bass).suffix(2_000).allSatisfy { abs($0 - $1) < 1e-6 })
}

/// With look-ahead the gain has come down before the sound that lowers it.
@Test func lookAheadDelaysTheSignalAlone() {
  let frames = Int((0.01 * Double(rate)).rounded(.up))
  let signal = [Float](repeating: 1e-4, count: 4_800) + constant(0, frames: 4_800)
  let values = ["threshold": -20, "ratio": 4, "attack": 2, "knee": 0.0]
  let ahead = compress(EffectRendering(signal), values, lookAhead: 10)
  let expected = -15 * (1 - exp(-5.0))
  let gain = gains(signal, Array(ahead.dropFirst(frames)))
  #expect(abs(gain[4_800] - expected) < 0.05)
  #expect(EffectSetup(kind: .compressor, sampleRate: rate, lookAhead: 10).latency == frames)
  #expect(EffectSetup(kind: .compressor, sampleRate: 44_100, lookAhead: 0.1).latency == 5)
}

@Test func reductionIsReported() {
  let state = EffectState(EffectSetup(kind: .compressor, sampleRate: rate))
  let signal = EffectRendering(constant(-10, frames: 9_600))
  _ = signal.through(state, EffectKind.compressor.values(["threshold": -20, "ratio": 2, "knee": 0, "attack": 10]))
  #expect(abs(state.reduction.greatest - 5) < 0.01)
  // Of 200 ms the attack takes 10.
  #expect(abs(state.reduction.mean - 5 * 0.95) < 0.01)
}
