import DAWTestSupport
import DAWTime
import Foundation
import Testing

@testable import DAWEngine

/// A runner of a plan whose output has the curves as factors.
private func runner(of control: Control, maximumFrames: Int = 1_024) -> PlanRunner {
  let plan = RenderPlan(
    sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [],
    steps: [.clear(StripID(0), buffer: 0), .output(StripID(0), buffer: 0, left: control, right: .unity)],
    bufferCount: 1, endFrame: 0)
  return PlanRunner(LinkedPlan(plan, maximumFrames: maximumFrames))
}

/// The factors that a curve gives over frames, asked for in blocks.
private func values(_ curve: Curve, from first: TimelineFrame, _ count: Int, blocks: [Int]) -> [Double] {
  let runner = runner(of: .product([.curve(curve)]), maximumFrames: 65_536)
  var values: [Double] = []
  var turn = 0
  while values.count < count {
    let length = min(blocks[turn % blocks.count], count - values.count)
    turn += 1
    var products = [Double](repeating: 1, count: length)
    products.withUnsafeMutableBufferPointer { products in
      guard let base = products.baseAddress else { return }
      runner.multiply(base, byCurve: 0, frame: first + values.count, length)
    }
    values += products
  }
  return values
}

private let scales: [Curve.Scale] = [
  .linear, .logarithmic, .left(.constantPowerMinus3dB), .right(.constantPowerMinus3dB), .left(.linearMinus6dB),
  .right(.linearMinus6dB), .left(.compromiseMinus4_5dB), .right(.compromiseMinus4_5dB), .left(.balance0dB),
  .right(.balance0dB),
]

private let shapes: [Curve.Shape] = [
  .hold, .linear, .equalPower, .mirroredEqualPower, .exponential, .mirroredExponential, .sCurve,
]

/// A curve of a few thousand frames from about −500 on, with points near each other, at rest, at 0, and two at one
/// frame.
private func randomCurve(_ scale: Curve.Scale, using random: inout SeededGenerator) -> Curve {
  var frame = TimelineFrame.random(in: -500...500, using: &random)
  var points: [Curve.Point] = []
  for _ in 0..<Int.random(in: 1...12, using: &random) {
    let value: Double = [0, 1, .random(in: 0...2, using: &random)].randomElement(using: &random) ?? 1
    let argument =
      switch scale {
      case .linear: value
      case .logarithmic: Foundation.log2(value)
      case .left, .right: value - 1
      }
    let shape = shapes.randomElement(using: &random) ?? .linear
    points.append(Curve.Point(frame, CurveReference.value(of: argument, value, scale), argument: argument, shape))
    if Bool.random(using: &random) { points.append(points[points.count - 1]) }
    let distances: [ClosedRange<Int>] = [1...3, 1...70, 1...2_000]
    frame += .random(in: distances.randomElement(using: &random) ?? 1...3, using: &random)
    if points.count > 1, points[points.count - 1] == points[points.count - 2] {
      let isSecondAtOneFrame = Bool.random(using: &random) && points[points.count - 2].shape != .hold
      if isSecondAtOneFrame {
        points[points.count - 1].argument = scale == .logarithmic ? -1 : 0.5
        points[points.count - 1].value = CurveReference.value(of: points[points.count - 1].argument, 0.5, scale)
      } else {
        points[points.count - 1].frame = frame
        frame += 1 + .random(in: 0...100, using: &random)
      }
    }
  }
  return Curve(points, scale: scale)
}

@Test(arguments: scales)
func aCurveFollowsItsFormulas(_ scale: Curve.Scale) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for _ in 0..<60 {
    let curve = randomCurve(scale, using: &random)
    let reference = CurveReference(curve)
    let found = values(curve, from: -600, 6_000, blocks: [1_024])
    let worst = reference.greatestError(of: found, from: -600)
    #expect(worst.error < 1e-12, "seed \(seed), frame \(worst.frame) of \(curve)")
    // A parameter's value is not straight between knots, and stays within the range of the points.
    let runner = runner(of: .product([.curve(curve)]))
    let range = (curve.points.map(\.value).min() ?? 0)...(curve.points.map(\.value).max() ?? 0)
    for _ in 0..<200 {
      let frame = TimelineFrame.random(in: -600...6_000, using: &random)
      let expected = min(max(reference.exactValue(at: frame), range.lowerBound), range.upperBound)
      let found = runner.value(ofCurve: 0, at: frame)
      guard abs(found - expected) < 1e-12, found == runner.value(of: runner.plan.curves[0], at: frame) else {
        Issue.record("\(found), not \(expected): seed \(seed), frame \(frame) of \(curve)")
        return
      }
    }
  }
}

@Test(arguments: scales)
func blocksDoNotChangeACurve(_ scale: Curve.Scale) {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for _ in 0..<20 {
    let curve = randomCurve(scale, using: &random)
    let whole = values(curve, from: -600, 5_000, blocks: [65_536]).map(\.bitPattern)
    for blocks in [[1], [16], [17, 3, 64, 1_023], [1_024], [333]] {
      #expect(
        values(curve, from: -600, 5_000, blocks: blocks).map(\.bitPattern) == whole, "seed \(seed), \(blocks), \(curve)"
      )
    }
    #expect(values(curve, from: 7, 3_000, blocks: [41]).map(\.bitPattern) == Array(whole[607..<3_607]))
  }
}

@Test func aControlThatRestsSaysSo() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  var rests = 0
  for _ in 0..<200 {
    let curves = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      randomCurve(scales.randomElement(using: &random) ?? .linear, using: &random)
    }
    let control = Control.curves(gain: 0.7, curves)
    let runner = runner(of: control)
    let gains = runner.plan.sides[0]
    var gain: Float = 0
    var frame: TimelineFrame = -600
    while frame < 5_000 {
      let span = runner.span(of: gains.left, from: frame)
      #expect(span.end > frame)
      for now in frame..<min(span.end, 5_000) where span.isResting {
        runner.evaluate(gains.left, at: 0, frame: now, earlierFrame: now, 1, into: &gain)
        #expect(gain == span.gain, "seed \(seed), frame \(now) of \(control)")
        rests += 1
      }
      frame = span.end
    }
  }
  #expect(rests > 10_000)
}

@Test func aLaneAtRestHasTheBitsOfTheValueSetByHand() {
  let level = 0.316_227_766_016_837_94
  let curve = Curve(
    [
      .init(0, level, argument: Foundation.log2(level), .linear),
      .init(500, level, argument: Foundation.log2(level), .hold),
      .init(900, 1, argument: 0, .hold),
    ], scale: .logarithmic)
  let runner = runner(of: .product([.curve(curve), .constant(0.9), .constant(0.7)]))
  let gains = runner.plan.sides[0]
  for frame in [-5, 0, 3, 499, 500, 899] as [TimelineFrame] {
    #expect(runner.span(of: gains.left, from: frame).gain == Float(level * 0.9 * 0.7))
  }
  #expect(!runner.span(of: gains.left, from: 900).isResting)
  #expect(runner.span(of: gains.left, from: 964).gain == Float(0.9 * 0.7))
}

@Test func curvesThatControlsShareAreLinkedOnce() {
  let curve = Curve([.init(0, 0, .linear), .init(1_000, 1, .linear)])
  var controls = LinkedControls()
  let sides = controls.add(
    .product([.curve(curve), .constant(0.5), .constant(0.1)]),
    .product([.curve(curve), .constant(0.5), .constant(0.2)]))
  _ = controls.add(.product([.curve(curve)]))
  #expect(controls.curves.count == 1)
  #expect(controls.points.count == 2)
  #expect(sides.commonCount == 2)
}

@Test func powersAndPanLawsAreThoseOfTheCLibrary() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for _ in 0..<100_000 {
    let x = Double.random(in: -1_000...1_000, using: &random)
    #expect(abs(DAWEngine.exp2(x) / Foundation.exp2(x) - 1) < 2e-15, "seed \(seed), \(x)")
    let u = Double.random(in: 0...1, using: &random)
    #expect(abs(Curve.PanLaw.constantPowerMinus3dB.gain(u) - sin(.pi / 2 * u)) < 1e-15, "seed \(seed), \(u)")
    let compromise = (u * sin(.pi / 2 * u)).squareRoot()
    #expect(abs(Curve.PanLaw.compromiseMinus4_5dB.gain(u) - compromise) < 1e-15, "seed \(seed), \(u)")
  }
  #expect((-50...50).allSatisfy { DAWEngine.exp2(Double($0)) == Foundation.exp2(Double($0)) })
  #expect(Curve.PanLaw.balance0dB.gain(0.5) == 1)
  #expect(Curve.PanLaw.constantPowerMinus3dB.gain(1) == 1)
}

/// Both sides of ones, mixed along two controls, asked for in blocks.
private func mixed(_ left: Control, _ right: Control, from first: TimelineFrame, _ count: Int, blocks: [Int]) -> [Float]
{
  let plan = RenderPlan(
    sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [],
    steps: [
      .clear(StripID(0), buffer: 0), .playInstrument(StripID(1), 0, into: 1),
      .mix(Connection(from: StripID(1), to: StripID(0)), 1, width: .stereo, into: 0, left: left, right: right),
      .output(StripID(0), buffer: 0, left: .unity, right: .unity),
    ],
    bufferCount: 2, endFrame: 0)
  let runner = PlanRunner(LinkedPlan(plan, maximumFrames: 65_536))
  let ones = [Float](repeating: 1, count: count)
  var samples: [Float] = []
  var turn = 0
  while samples.count < 2 * count {
    let done = samples.count / 2
    let length = min(blocks[turn % blocks.count], count - done)
    turn += 1
    runner.begin(frame: first + done, frameCount: length)
    while let request = runner.next() { runner.supply(left: ones, right: ones, frameCount: request.frameCount) }
    for index in 0..<length { samples += [runner.left[index], runner.right[index]] }
  }
  return samples
}

@Test func twoSidesAreMixedAlongTheirCurves() {
  let seed = Seed.current()
  var random = SeededGenerator(seed: seed)
  for _ in 0..<60 {
    let volume = randomCurve(.logarithmic, using: &random)
    let pan = randomCurve(.left(.constantPowerMinus3dB), using: &random)
    let common: [Control.Factor] =
      [
        [.curve(volume)], [.constant(0.7), .curve(volume)], [.curve(volume), .constant(0.7)],
        [.curve(volume), .constant(0.7), .constant(0.3)],
      ].randomElement(using: &random) ?? []
    let own: [[Control.Factor]] =
      [
        [[], []], [[.curve(pan)], [.curve(Curve(pan.points, scale: .right(.constantPowerMinus3dB)))]],
        [[.curve(pan)], [.constant(0.4)]],
      ].randomElement(using: &random) ?? []
    let sides = own.map { Control.product(common + $0) }
    let whole = mixed(sides[0], sides[1], from: -608, 6_000, blocks: [65_536])
    #expect(mixed(sides[0], sides[1], from: -608, 6_000, blocks: [1]) == whole, "seed \(seed), \(sides)")
    #expect(mixed(sides[0], sides[1], from: -608, 6_000, blocks: [17, 640, 33]) == whole, "seed \(seed), \(sides)")
    for (side, control) in sides.enumerated() {
      let runner = runner(of: control)
      for place in stride(from: 0, to: 6_000, by: 7) {
        var gain: Float = 0
        let frame = TimelineFrame(place - 608)
        runner.evaluate(runner.plan.sides[0].left, at: 0, frame: frame, earlierFrame: frame, 1, into: &gain)
        #expect(whole[2 * place + side] == gain, "seed \(seed), frame \(frame), \(control)")
      }
    }
  }
}

@Test func aJumpIsSpreadWhileTheOtherCurveMoves() {
  for frame in [1_003, 1_008, 1_023] as [TimelineFrame] {
    let volume = Curve(
      [
        .init(0, 1, argument: 0, .hold), .init(frame, 0.25, argument: -2, .linear),
        .init(5_000, 0.5, argument: -1, .linear),
      ],
      scale: .logarithmic)
    let pan = Curve([.init(0, 0, argument: -1, .linear), .init(6_000, 1, argument: 1, .linear)], scale: .linear)
    let left = Control.product([.curve(volume), .curve(pan)])
    let right = Control.product([.curve(volume), .curve(Curve(pan.points, scale: .logarithmic))])
    let whole = mixed(left, right, from: 0, 2_000, blocks: [65_536])
    #expect(whole == mixed(left, right, from: 0, 2_000, blocks: [1]))
    let last = 2 * (frame.number - 1)
    #expect(abs(whole[last + 2] / whole[last] - 1) < 0.02)
  }
}
