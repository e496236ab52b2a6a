import DAWRealtime
import DAWTestSupport
import Testing

@testable import DAWEngine

/// An effect whose every part sounds.
struct EffectCase: Sendable, CustomTestStringConvertible {
  var name: String
  var setup: EffectSetup
  var values: [Double]
  /// Where the values move to, and back.
  var others: [Double]

  init(
    _ name: String, _ kind: EffectKind, _ values: [String: Double], _ others: [String: Double],
    lookAhead: Double = 0
  ) {
    self.name = name
    setup = EffectSetup(kind: kind, sampleRate: 48_000, lookAhead: lookAhead)
    self.values = kind.values(values)
    self.others = kind.values(values.merging(others) { $1 })
  }

  var testDescription: String { name }

  static let all = [
    EffectCase(
      "eq", .eq,
      [
        "band1.type": 5, "band1.frequency": 40, "band1.slope": 2, "band3.type": 1, "band3.gain": 6,
        "band5.type": 3,
        "band5.gain": -3, "band8.type": 7,
      ],
      [
        "band1.frequency": 90, "band1.slope": 1, "band3.gain": 0, "band3.frequency": 600,
        "band4.type": 1,
        "band4.gain": 3, "band5.q": 3,
      ]),
    EffectCase(
      "compressor", .compressor, ["threshold": -30, "keyHighPass": 90, "makeUp": 3],
      ["threshold": -10, "ratio": 20, "knee": 0, "attack": 1, "release": 40, "makeUp": -6, "keyHighPass": 400]),
    EffectCase(
      "compressor that looks ahead, RMS, unlinked", .compressor,
      ["threshold": -30, "detector": 1, "link": 0, "mix": 0.7], ["link": 1, "mix": 1, "keyHighPass": 100],
      lookAhead: 3.3),
    EffectCase(
      "gate", .gate, ["threshold": -12, "hold": 1, "release": 10, "keyHighPass": 60],
      ["threshold": -40, "range": -10, "attack": 5, "hold": 8, "release": 40, "keyHighPass": 200]),
    EffectCase("limiter", .limiter, ["ceiling": -12, "release": 20], ["ceiling": -3, "release": 200], lookAhead: 2),
    EffectCase(
      "delay", .delay, ["time": 20, "lowCut": 100, "highCut": 6_000],
      ["time": 31, "feedback": 0.9, "pingPong": 1, "lowCut": 300, "highCut": 0, "mix": 0.8]),
    EffectCase("delay without cuts", .delay, ["time": 90, "pingPong": 1, "mix": 1], ["feedback": 0, "mix": 0.1]),
    EffectCase(
      "reverb", .reverb, [:],
      ["decay": 8, "lowDecay": 2, "highDecay": 1, "preDelay": 30, "width": 0.2, "mix": 0.9]),
  ]
}

private let frames = 10_000

private func noise(seed: UInt64 = 3, frames: Int = frames) -> EffectRendering {
  // Loud and quiet by turns, so that dynamics have something to do.
  func side(_ seed: UInt64) -> [Float] {
    Signal.noise(seed: seed, frames: frames, channels: 1).enumerated().map {
      $1 * ($0 / 900 % 2 == 0 ? 1 : 0.003)
    }
  }
  return EffectRendering(side(seed), side(seed + 1))
}

private func moving(_ test: EffectCase, _ rendering: EffectRendering) -> EffectRendering {
  var rendering = rendering
  rendering.knots = { knot in
    // Up and down over 40 knots, then at rest for 20.
    let place = Double(min(knot % 60, 40))
    let x = 1 - abs(place - 20) / 20
    return zip(test.values, test.others).map { $0 + ($1 - $0) * x }
  }
  return rendering
}

private let divisions = [[1_024], [1], [7, 300, 1, 64], [256, 255, 1_000], [16], [3, 13]]

@Test(arguments: EffectCase.all)
func divisionIntoPiecesChangesNoBit(test: EffectCase) {
  for signal in [noise(), moving(test, noise())] {
    let expected = signal.through(test.setup, test.values, blocks: divisions[0])
    #expect(expected.left != signal.left)
    for blocks in divisions.dropFirst() {
      let found = signal.through(test.setup, test.values, blocks: blocks)
      #expect(found.left == expected.left && found.right == expected.right, "\(blocks)")
    }
  }
}

@Test(arguments: EffectCase.all)
func vectorInstructionsChangeNoBit(test: EffectCase) {
  // 43 frames fill no vector.
  for signal in [noise(), moving(test, noise())] {
    let expected = signal.through(EffectState(test.setup, instructions: .portable), test.values, blocks: [43, 256])
    for instructions in Instructions.allCases {
      let found = signal.through(
        EffectState(test.setup, instructions: instructions), test.values, blocks: [43, 256])
      #expect(found.left == expected.left && found.right == expected.right, "\(instructions)")
    }
  }
}

@Test(arguments: EffectCase.all)
func movingBetweenEqualValuesIsResting(test: EffectCase) {
  var signal = noise()
  let expected = signal.through(test.setup, test.values)
  signal.knots = { _ in test.values }
  let found = signal.through(test.setup, test.values)
  #expect(found.left == expected.left && found.right == expected.right)
}

@Test(arguments: EffectCase.all)
func resetStateIsANewOne(test: EffectCase) {
  let expected = noise().through(test.setup, test.values)
  let state = EffectState(test.setup)
  for frames in [100, 5_000, 30_000] {
    _ = moving(test, noise(seed: 9, frames: frames)).through(state, test.values)
    state.reset()
    let found = noise().through(state, test.values)
    #expect(found.left == expected.left && found.right == expected.right)
    state.reset()
    #expect(state.reduction == (0, 0))
  }
}

@Test(arguments: EffectCase.all)
func invalidSamplesCountAsSilence(test: EffectCase) {
  var (invalid, silent) = (noise(), noise())
  for (offset, sample) in [
    Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, .signalingNaN,
  ].enumerated() {
    invalid.left[1_000 + 100 * offset] = sample
    silent.left[1_000 + 100 * offset] = 0
  }
  let found = invalid.through(test.setup, test.values)
  let expected = silent.through(test.setup, test.values)
  #expect(found.left == expected.left && found.right == expected.right)
}

@Test(arguments: EffectCase.all)
func loudestSamplesStayFinite(test: EffectCase) {
  let loud = EffectRendering(
    (0..<frames).map { $0 / 30 % 2 == 0 ? 0x1p63 : -0x1p63 },
    (0..<frames).map { $0 / 7 % 2 == 0 ? 0x1p63 : -0x1p63 })
  let found = moving(test, loud).through(test.setup, test.values)
  let isFinite = (found.left + found.right).allSatisfy { $0.isFinite }
  #expect(isFinite)
}

/// Signals so quiet that flushed denormals would show.
@Test(arguments: EffectCase.all)
func flushedDenormalsChangeNoBit(test: EffectCase) {
  var quiet = noise()
  for frame in 0..<frames {
    let scale = Float(sign: .plus, exponent: -118 - frame / 600, significand: 1)
    quiet.left[frame] *= scale
    quiet.right?[frame] *= scale
  }
  let flags = DenormalFlags.keep()
  let expected = quiet.through(test.setup, test.values)
  flags.restore()
  let flushed = DenormalFlags.flush()
  let found = quiet.through(test.setup, test.values)
  flushed.restore()
  #expect(
    zip(found.left + found.right, expected.left + expected.right).allSatisfy {
      $0.bitPattern == $1.bitPattern
    })
}
