import DAWEngine
import DAWMedia
import DAWTestSupport
import DAWTime
import Foundation

/// A random plan over files in a temporary folder, and the same mix in double arithmetic, independent of the engine.
final class RandomMix {
  let plan: RenderPlan
  let frameCount = 6_000
  private let folder: URL
  private let sources: [TestSource]

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    folder = FileManager.default.temporaryDirectory.appending(path: "daw-mix-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var sources: [TestSource] = []
    for format in SampleEncoding.allCases {
      for channelCount in [1, 2, Int.random(in: 3...5, using: &random)] {
        sources.append(
          try TestSource(
            format, channelCount: channelCount, frameCount: Int.random(in: 1...5_000, using: &random), in: folder,
            using: &random))
      }
    }
    self.sources = sources
    var plan = RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: sources.map(\.source), instruments: [], regions: [],
      steps: [.clear(StripID(0), buffer: 0)], bufferCount: 2, endFrame: 6_000)
    for strip in 1...Int.random(in: 1...6, using: &random) {
      let strip = StripID(Int64(strip))
      let first = plan.regions.count
      let width: ChannelWidth = Bool.random(using: &random) ? .mono : .stereo
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        plan.regions.append(Self.region(plan, width, regionID: Int64(plan.regions.count), using: &random))
      }
      plan.steps.append(.sumRegions(strip, first..<plan.regions.count, into: 1, width: width))
      plan.steps.append(
        .mix(
          Connection(from: strip, to: StripID(0)), 1, width: width, into: 0, left: Self.control(using: &random),
          right: Self.control(using: &random)))
    }
    plan.steps.append(
      .output(StripID(0), buffer: 0, left: Self.control(using: &random), right: Self.control(using: &random)))
    self.plan = plan
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func region(
    _ plan: RenderPlan, _ width: ChannelWidth, regionID: Int64, using random: inout SeededGenerator
  ) -> PlannedRegion {
    let index = Int.random(in: plan.sources.indices, using: &random)
    let source = plan.sources[index]
    let anchor = Int64.random(in: -1_000...5_000, using: &random)
    let lower = max(0, anchor) + Int64.random(in: 0...500, using: &random)
    let first = min(lower, anchor + source.frameCount - 1)
    let last = Int64.random(in: (first + 1)...(anchor + source.frameCount), using: &random)
    let left = Int.random(in: 0..<source.channelCount, using: &random)
    let right = Int.random(in: 0..<source.channelCount, using: &random)
    let pick: ChannelPick =
      switch Int.random(in: 0...3, using: &random) {
      case 0: .one(left)
      case 1 where source.channelCount > 1: .mean(left, right)
      default: width == .mono ? .one(left) : .two(left, right)
      }
    return PlannedRegion(
      regionID: regionID, source: index, frames: first..<max(first + 1, last), anchor: anchor, channels: pick,
      gain: control(using: &random))
  }

  private static func control(using random: inout SeededGenerator) -> Control {
    switch Int.random(in: 0...3, using: &random) {
    case 0: return .unity
    case 1:
      return .curves(
        gain: Float.random(in: 0...1.5, using: &random),
        (0..<Int.random(in: 1...3, using: &random)).map { _ in curve(using: &random) })
    default: return .constant(Float.random(in: 0...1.5, using: &random))
    }
  }

  /// Often at rest at 1, as fades are.
  private static func curve(using random: inout SeededGenerator) -> Curve {
    let shapes: [Curve.Shape] = [
      .linear, .equalPower, .mirroredEqualPower, .exponential, .mirroredExponential, .sCurve,
    ]
    var frame = Int64.random(in: -500...3_000, using: &random)
    return Curve(
      (0..<Int.random(in: 1...5, using: &random)).map { _ in
        frame += Int64.random(in: 1...(Bool.random(using: &random) ? 40 : 2_000), using: &random)
        return Curve.Point(
          frame, [0, 1, 1, Double.random(in: 0...2, using: &random)].randomElement(using: &random) ?? 1,
          shapes.randomElement(using: &random) ?? .linear)
      })
  }

  /// One side of the mix at a frame, and how far a float result may lie from it: (roundings + 2) · 2⁻²⁴ · Σ|terms|.
  func reference(frame: Int64, side: Int) -> (value: Double, tolerance: Double) {
    var sum = 0.0
    var magnitude = 0.0
    var roundings = 0.0
    var track = 0.0
    var trackMagnitude = 0.0
    for step in plan.steps {
      switch step {
      case .clear, .playInstrument, .shape: break
      case .sumRegions(_, let range, _, _):
        track = 0
        trackMagnitude = 0
        for region in plan.regions[range] where region.frames.contains(frame) {
          let term = sample(region, frame, side) * value(region.gain, frame)
          track += term
          trackMagnitude += abs(term) + (isMean(region) ? 2 * value(region.gain, frame) : 0)
          roundings += 3
        }
      case .mix(_, _, _, _, let left, let right):
        let gain = value(side == 0 ? left : right, frame)
        sum += track * gain
        magnitude += trackMagnitude * gain
        roundings += 3
      case .output(_, _, let left, let right):
        let gain = value(side == 0 ? left : right, frame)
        sum *= gain
        magnitude *= gain
        roundings += 2
      }
    }
    return (sum, (roundings + 2) * 0x1p-24 * magnitude)
  }

  private func isMean(_ region: PlannedRegion) -> Bool {
    if case .mean = region.channels { true } else { false }
  }

  private func sample(_ region: PlannedRegion, _ frame: Int64, _ side: Int) -> Double {
    let source = sources[region.source]
    let place = Int(frame - region.anchor) * source.source.channelCount
    return switch region.channels {
    case .one(let channel): source.samples[place + channel]
    case .two(let left, let right): source.samples[place + (side == 0 ? left : right)]
    case .mean(let left, let right): (source.samples[place + left] + source.samples[place + right]) / 2
    }
  }

  private func value(_ control: Control, _ frame: Int64) -> Double {
    switch control {
    case .constant(let gain): return Double(gain)
    case .passage(_, let to): return value(to, frame)
    case .curves(let gain, let curves): return curves.reduce(Double(gain)) { $0 * value($1, frame) }
    }
  }

  /// The curve by the C library's functions at the knots around the frame.
  private func value(_ curve: Curve, _ frame: Int64) -> Double {
    guard let p = curve.points.last(where: { $0.frame <= frame }) else { return curve.points[0].value }
    guard let q = curve.points.first(where: { $0.frame > frame }) else { return p.value }
    func atKnot(_ knot: Int64) -> Double {
      let x = Double(knot - p.frame) / Double(q.frame - p.frame)
      func rise(_ x: Double) -> Double { (exp(4 * x) - 1) / (exp(4) - 1) }
      let share =
        switch p.shape {
        case .linear: x
        case .equalPower: sin(.pi / 2 * x)
        case .mirroredEqualPower: 1 - sin(.pi / 2 * (1 - x))
        case .exponential: rise(x)
        case .mirroredExponential: 1 - rise(1 - x)
        case .sCurve: 3 * x * x - 2 * x * x * x
        }
      return p.value + (q.value - p.value) * share
    }
    let below = max(p.frame, Int64((Double(frame) / 16).rounded(.down)) * 16)
    let above = min(q.frame, Int64((Double(frame) / 16).rounded(.down)) * 16 + 16)
    let share = Double(frame - below) / Double(above - below)
    return atKnot(below) + (atKnot(above) - atKnot(below)) * share
  }

  /// The engine's own rendering of all frames, in blocks whose sizes come from `blocks` in turn.
  func render(
    from first: Int64 = 0, blocks: [Int] = [1_024], maximumFrames: Int = 1_024, instructions: Instructions = .best
  ) throws -> [[Float]] {
    let streams = DirectStreams(
      plan,
      instruments: RenderedAhead([], blockFrames: 1, blocksAhead: 1, isInline: true) { _ in throw StreamError.stopped },
      openReader: { (source) throws(StreamError) in throw .unreadable(path: source.path, reason: "not decoded") })
    let feeder = DirectFeeder(streams, maximumFrames: maximumFrames, instructions: instructions)
    var sides = [[Float]](repeating: [Float](repeating: .nan, count: frameCount - Int(first)), count: 2)
    var done = 0
    var turn = 0
    while done < frameCount - Int(first) {
      let count = min(blocks[turn % blocks.count], frameCount - Int(first) - done)
      var left = [Float](repeating: 0, count: count)
      var right = left
      try feeder.render(frame: first + Int64(done), left: &left, right: &right, frameCount: count)
      sides[0].replaceSubrange(done..<(done + count), with: left)
      sides[1].replaceSubrange(done..<(done + count), with: right)
      done += count
      turn += 1
    }
    return sides
  }
}

/// Bit patterns, so that −0 differs from 0.
func bits(_ sides: [[Float]]) -> [[UInt32]] { sides.map { $0.map(\.bitPattern) } }
