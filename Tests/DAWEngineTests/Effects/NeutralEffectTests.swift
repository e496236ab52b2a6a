import DAWTestSupport
import Testing

@testable import DAWEngine

private let neutral: [(EffectKind, [String: Double], Double)] = [
  (.eq, [:], 0),
  (.eq, ["band1.type": 1, "band2.type": 2, "band3.type": 3], 0),
  (.compressor, ["ratio": 1], 0), (.compressor, ["ratio": 1, "keyHighPass": 100, "detector": 1], 7.7),
  (.compressor, ["threshold": -60, "mix": 0, "link": 0], 0),
  (.gate, ["range": 0, "threshold": -10], 0), (.delay, ["mix": 0], 0), (.reverb, ["mix": 0], 0),
]

@Test(arguments: neutral.indices)
func neutralEffectIsExactUnity(index: Int) {
  let (kind, values, lookAhead) = neutral[index]
  let setup = EffectSetup(kind: kind, sampleRate: 48_000, lookAhead: lookAhead)
  let signal = EffectRendering(
    Signal.noise(seed: 5, frames: 5_000, channels: 1),
    Signal.noise(seed: 6, frames: 5_000, channels: 1))
  let found = signal.through(setup, kind.values(values))
  let silence = [Float](repeating: 0, count: setup.latency)
  #expect(found.left == silence + signal.left.dropLast(setup.latency))
  #expect(found.right == silence + (signal.right ?? []).dropLast(setup.latency))
}

/// A mono signal is processed as a stereo one with two equal sides.
@Test(arguments: EffectCase.all.filter { !$0.setup.kind.needsStereo })
func monoIsOneSideOfTwoEqualOnes(test: EffectCase) {
  let side = Signal.noise(seed: 8, frames: 5_000, channels: 1)
  let mono = EffectRendering(side).through(test.setup, test.values)
  let stereo = EffectRendering(side, side).through(test.setup, test.values)
  #expect(mono.left == stereo.left && stereo.left == stereo.right)
}
