import DAWTestSupport
import Foundation
import Testing

@testable import DAWEngine

private func constant(_ level: Double, frames: Int) -> [Float] {
  [Float](repeating: Float(pow(10, level / 20)), count: frames)
}

/// The gain in dB of each frame.
private func gains(_ signal: [Float], _ values: [String: Double]) -> [Double] {
  let found = EffectRendering(signal).through(
    EffectSetup(kind: .gate, sampleRate: 48_000), EffectKind.gate.values(values)
  ).left
  return zip(found, signal).map { 20 * log10(Double($0) / Double($1)) }
}

private let values: [String: Double] = [
  "threshold": -40, "hysteresis": 6, "range": -30, "attack": 1, "hold": 10, "release": 5,
]

@Test func gateOpensAtTheThresholdAndClosesBelowTheHysteresis() {
  for (level, opens) in [(-40.1, false), (-39.9, true)] {
    let gain = gains(constant(level, frames: 2_000), values)
    #expect(abs(gain[1_999] - (opens ? 0 : -30)) < 0.001)
  }
  for (level, closes) in [(-45.9, false), (-46.1, true)] {
    let gain = gains(constant(-30, frames: 2_000) + constant(level, frames: 4_000), values)
    #expect(abs(gain[5_999] - (closes ? -30 : 0)) < 0.01)
  }
}

@Test func gateHasItsAttackHoldAndRelease() {
  let gain = gains(constant(-30, frames: 2_000) + constant(-60, frames: 4_000), values)
  // From −30 dB, 1/e of the way is left after 1 ms.
  #expect(abs(gain[47] - -30 * exp(-1)) < 0.01)
  // 480 frames of hold, then 5 ms.
  #expect(abs(gain[2_479]) < 1e-6)
  #expect(gain[2_480] < -0.1)
  let released: Double = -30 * (1 - exp(-1))
  #expect(abs(gain[2_719] - released) < 0.01)
}

@Test func gateFollowsItsKey() {
  var signal = EffectRendering(constant(-10, frames: 2_000))
  signal.keyLeft = constant(-60, frames: 1_000) + constant(-30, frames: 1_000)
  let state = EffectState(EffectSetup(kind: .gate, sampleRate: 48_000))
  let found = signal.through(state, EffectKind.gate.values(values)).left
  let gain = zip(found, signal.left).map { 20 * log10(Double($0) / Double($1)) }
  #expect(abs(gain[999] - -30) < 0.001)
  #expect(abs(gain[1_999]) < 0.001)
  #expect(abs(state.reduction.greatest - 30) < 0.001)
  #expect(abs(state.reduction.mean - 15) < 1)
}
