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

  /// - Parameter change: is given the plan before it is used.
  init(seed: UInt64, _ change: (RenderPlan) -> RenderPlan = { $0 }) throws {
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
      steps: [.clear(StripID(0), buffer: 0)], bufferCount: 1, endFrame: 6_000)
    let trackCount = Int.random(in: 1...6, using: &random)
    let busCount = Int.random(in: 0...3, using: &random)
    // Strip and buffer n are the same; a bus feeds later ones, or the master, 0.
    let buses = trackCount + 1..<trackCount + 1 + busCount
    for bus in buses { plan.steps.append(.clear(StripID(Int64(bus)), buffer: bus)) }
    for strip in 1...trackCount {
      let first = plan.regions.count
      let width: ChannelWidth = Bool.random(using: &random) ? .mono : .stereo
      for _ in 0..<Int.random(in: 0...8, using: &random) {
        plan.regions.append(Self.region(plan, width, regionID: Int64(plan.regions.count), using: &random))
      }
      plan.steps.append(
        .sumRegions(StripID(Int64(strip)), first..<plan.regions.count, into: strip, width: width))
      Self.connect(strip, width, to: buses, &plan, using: &random)
    }
    for bus in buses { Self.connect(bus, .stereo, to: bus + 1..<buses.upperBound, &plan, using: &random) }
    plan.steps.append(
      .output(StripID(0), buffer: 0, left: Self.control(using: &random), right: Self.control(using: &random)))
    plan.bufferCount = buses.upperBound
    self.plan = change(plan)
  }

  /// A strip's shape, its output, and perhaps a few sends.
  private static func connect(
    _ strip: Int, _ width: ChannelWidth, to buses: Range<Int>, _ plan: inout RenderPlan,
    using random: inout SeededGenerator
  ) {
    let id = StripID(Int64(strip))
    if Bool.random(using: &random) {
      let shape = StripShape(
        trim: control(using: &random), invertsLeft: .random(using: &random), invertsRight: .random(using: &random),
        stereoWidth: Bool.random(using: &random) ? nil : control(using: &random))
      plan.steps.append(.shape(id, buffer: strip, width: width, shape))
    }
    let output = Bool.random(using: &random) ? buses.randomElement(using: &random) ?? 0 : 0
    let sends = buses.filter { _ in Int.random(in: 0...3, using: &random) == 0 }
    for (target, kind) in [(output, .output)] + sends.map({ ($0, Connection.Kind.send(Int64(100 * strip + $0))) }) {
      plan.steps.append(
        .mix(
          Connection(from: id, to: StripID(Int64(target)), kind), strip, width: width, into: target,
          left: control(using: &random), right: control(using: &random)))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func region(
    _ plan: RenderPlan, _ width: ChannelWidth, regionID: Int64, using random: inout SeededGenerator
  ) -> PlannedRegion {
    let index = Int.random(in: plan.sources.indices, using: &random)
    let source = plan.sources[index]
    let anchor = TimelineFrame.random(in: -1_000...5_000, using: &random)
    let lower = max(0, anchor) + Int.random(in: 0...500, using: &random)
    let end = TimelineFrame(of: source.end, anchor: anchor)
    let first = min(lower, end - 1)
    let last = TimelineFrame.random(in: (first + 1)...end, using: &random)
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

  /// Often at rest at 1, as fades are; of every scale, with jumps, some between two points at one frame.
  private static func curve(using random: inout SeededGenerator) -> Curve {
    let shapes: [Curve.Shape] = [
      .hold, .linear, .equalPower, .mirroredEqualPower, .exponential, .mirroredExponential, .sCurve,
    ]
    let scales: [Curve.Scale] = [
      .linear, .linear, .logarithmic, .left(.constantPowerMinus3dB), .right(.constantPowerMinus3dB),
      .left(.linearMinus6dB), .right(.compromiseMinus4_5dB), .left(.balance0dB),
    ]
    let scale = scales.randomElement(using: &random) ?? .linear
    var frame = TimelineFrame.random(in: -500...3_000, using: &random)
    var isSecond = true
    return Curve(
      (0..<Int.random(in: 1...5, using: &random)).map { _ in
        isSecond = !isSecond && Int.random(in: 0..<3, using: &random) == 0
        if !isSecond { frame += Int.random(in: 1...(Bool.random(using: &random) ? 40 : 2_000), using: &random) }
        let value = [0, 1, 1, Double.random(in: 0...2, using: &random)].randomElement(using: &random) ?? 1
        let argument =
          switch scale {
          case .linear: value
          case .logarithmic: log2(value)
          case .left, .right: value.truncatingRemainder(dividingBy: 1) * 2 - 1
          }
        return Curve.Point(
          frame, CurveReference.value(of: argument, value, scale), argument: argument,
          shapes.randomElement(using: &random) ?? .linear)
      }, scale: scale)
  }

  /// One side of the mix at a frame, and how far a float result may lie from it: (roundings + 2) · 2⁻²⁴ · Σ|terms|.
  func reference(frame: TimelineFrame, side: Int) -> (value: Double, tolerance: Double) {
    /// Both sides of each buffer, and the sums of their terms' magnitudes.
    var buffers = [[Double]](repeating: [0, 0], count: plan.bufferCount)
    var magnitudes = buffers
    var roundings = 0.0
    for step in plan.steps {
      switch step {
      case .clear(_, let buffer):
        buffers[buffer] = [0, 0]
        magnitudes[buffer] = [0, 0]
      case .playInstrument: break
      case .sumRegions(_, let range, let buffer, _):
        buffers[buffer] = [0, 0]
        magnitudes[buffer] = [0, 0]
        for region in plan.regions[range] where region.frames.contains(frame) {
          for side in 0..<2 {
            let term = sample(region, frame, side) * value(region.gain, frame)
            buffers[buffer][side] += term
            magnitudes[buffer][side] += abs(term) + (isMean(region) ? 2 * abs(value(region.gain, frame)) : 0)
          }
          roundings += 3
        }
      case .shape(_, let buffer, let width, let shape):
        let trim = value(shape.trim, frame)
        let stereoWidth = shape.stereoWidth.map { value($0, frame) }
        shape.apply(to: &buffers[buffer], width, trim, stereoWidth)
        // The magnitudes of sums and differences are sums.
        magnitudes[buffer] = magnitudes[buffer].map { $0 * abs(trim) }
        if width == .stereo, let stereoWidth {
          let sum = (magnitudes[buffer][0] + magnitudes[buffer][1]) * (0.5 + 0.5 * abs(stereoWidth))
          magnitudes[buffer] = [sum, sum]
        }
        roundings += 6
      case .mix(_, let source, let width, let target, let left, let right):
        for (side, control) in [left, right].enumerated() {
          let gain = value(control, frame)
          let sourceSide = width == .mono ? 0 : side
          buffers[target][side] += buffers[source][sourceSide] * gain
          magnitudes[target][side] += magnitudes[source][sourceSide] * abs(gain)
        }
        roundings += 3
      case .monitor, .widen, .insert, .delay: preconditionFailure("The definition has no effects and no inputs.")
      case .output(_, let buffer, let left, let right):
        let gain = value(side == 0 ? left : right, frame)
        return (buffers[buffer][side] * gain, (roundings + 4) * 0x1p-24 * magnitudes[buffer][side] * abs(gain))
      }
    }
    return (0, 0)
  }

  private func isMean(_ region: PlannedRegion) -> Bool {
    if case .mean = region.channels { true } else { false }
  }

  private func sample(_ region: PlannedRegion, _ frame: TimelineFrame, _ side: Int) -> Double {
    let source = sources[region.source]
    let place = (frame - region.anchor) * source.source.channelCount
    return switch region.channels {
    case .one(let channel): source.samples[place + channel]
    case .two(let left, let right): source.samples[place + (side == 0 ? left : right)]
    case .mean(let left, let right): (source.samples[place + left] + source.samples[place + right]) / 2
    }
  }

  private func value(_ control: Control, _ frame: TimelineFrame) -> Double {
    switch control {
    case .constant(let gain): return Double(gain)
    case .passage(_, let to), .ofPlanBefore(let to): return value(to, frame)
    case .product(let factors):
      return factors.reduce(1) { product, factor in
        switch factor {
        case .constant(let value): product * value
        case .curve(let curve): product * CurveReference(curve).value(at: frame)
        }
      }
    }
  }

  /// The engine's own rendering of all frames, in blocks whose sizes come from `blocks` in turn.
  func render(
    from first: TimelineFrame = 0, blocks: [Int] = [1_024], maximumFrames: Int = 1_024,
    instructions: Instructions = .best
  ) throws -> [[Float]] {
    let streams = DirectStreams(
      plan,
      instruments: RenderedAhead([], blockFrames: 1, blocksAhead: 1) { _ in throw StreamError.stopped },
      openReader: { (source) throws(StreamError) in throw .unreadable(path: source.path, reason: "not decoded") })
    let feeder = DirectFeeder(streams, maximumFrames: maximumFrames, instructions: instructions)
    var sides = [[Float]](repeating: [Float](repeating: .nan, count: frameCount - first.number), count: 2)
    if feeder.latency > 0 {
      var (left, right) = ([Float](repeating: 0, count: feeder.latency), [Float](repeating: 0, count: feeder.latency))
      try feeder.render(
        frame: first - feeder.latency, left: &left, right: &right, frameCount: feeder.latency)
    }
    var done = 0
    var turn = 0
    while done < frameCount - first.number {
      let count = min(blocks[turn % blocks.count], frameCount - first.number - done)
      var left = [Float](repeating: 0, count: count)
      var right = left
      try feeder.render(frame: first + done, left: &left, right: &right, frameCount: count)
      sides[0].replaceSubrange(done..<(done + count), with: left)
      sides[1].replaceSubrange(done..<(done + count), with: right)
      done += count
      turn += 1
    }
    return sides
  }
}

extension RandomMix {
  /// The same in stages.
  /// - Parameters:
  ///   - threads: that render stages beside the one that reads them.
  ///   - reductions: takes those of the effects.
  func renderStaged(
    threads: Int, blockFrames: Int, reductions: MeasuredReductions? = nil
  ) throws -> [[Float]] {
    let staged = plan.staged()
    let stages = staged.parts.map {
      Stage($0, origin: 0, maximumFrames: min(blockFrames, 500), instructions: .best, reductions: reductions)
    }
    let ahead = RenderedAhead(
      stages, blockFrames: blockFrames, blocksAhead: 2, end: (frameCount + blockFrames - 1) / blockFrames)
    let feeder = DirectFeeder(DirectStreams(staged.rest, instruments: ahead), maximumFrames: min(blockFrames, 1_024))
    var sides: [[Float]] = [[], []]
    try ahead.whileRendered(byThreads: threads) {
      for first in stride(from: 0, to: frameCount, by: blockFrames) {
        let count = min(blockFrames, frameCount - first)
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        try feeder.render(frame: TimelineFrame(first), left: &left, right: &right, frameCount: count)
        sides[0] += left
        sides[1] += right
        ahead.release(before: first / blockFrames + 1)
      }
    }
    return sides
  }
}

extension StripShape {
  /// In double arithmetic, as a matrix rather than by middle and side.
  fileprivate func apply(
    to sides: inout [Double], _ width: ChannelWidth, _ trim: Double, _ stereoWidth: Double?
  ) {
    let left = sides[0] * trim * (invertsLeft ? -1 : 1)
    let right = sides[1] * trim * (invertsRight ? -1 : 1)
    guard width == .stereo, let stereoWidth else {
      sides = width == .stereo ? [left, right] : [left, left]
      return
    }
    let (near, far) = ((1 + stereoWidth) / 2, (1 - stereoWidth) / 2)
    sides = [near * left + far * right, far * left + near * right]
  }
}
