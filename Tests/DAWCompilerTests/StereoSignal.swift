import DAWTime

@testable import DAWEngine

/// What two sides are made of: for each audio track's left and right side, the gain with which it is in them.
struct StereoSignal: Equatable {
  var left: [Double]
  var right: [Double]

  /// Silence.
  init(sourceCount: Int) {
    left = Array(repeating: 0, count: 2 * sourceCount)
    right = left
  }

  /// A source alone; a mono one has the left side.
  init(source: Int, width: ChannelWidth, sourceCount: Int) {
    self.init(sourceCount: sourceCount)
    left[2 * source] = 1
    if width == .stereo { right[2 * source + 1] = 1 }
  }

  func times(_ leftGain: Double, _ rightGain: Double) -> StereoSignal {
    var signal = self
    signal.left = left.map { $0 * leftGain }
    signal.right = right.map { $0 * rightGain }
    return signal
  }

  /// A mono signal on both sides.
  var doubled: StereoSignal {
    var signal = self
    signal.right = left
    return signal
  }

  func widened(_ width: Double) -> StereoSignal {
    var signal = self
    for index in left.indices {
      let (middle, side) = ((left[index] + right[index]) / 2, (left[index] - right[index]) / 2 * width)
      (signal.left[index], signal.right[index]) = (middle + side, middle - side)
    }
    return signal
  }

  static func += (sum: inout StereoSignal, other: StereoSignal) {
    for index in sum.left.indices {
      sum.left[index] += other.left[index]
      sum.right[index] += other.right[index]
    }
  }

  var largest: Double { (left + right).map(abs).max() ?? 0 }

  func isClose(to other: StereoSignal, within distance: Double) -> Bool {
    zip(left + right, other.left + other.right).allSatisfy { abs($0 - $1) <= distance }
  }
}

/// Runs a plan's steps on gains, and finds steps that read what is not theirs.
struct SignalRun {
  private(set) var output: StereoSignal
  private(set) var directOuts: [Int64: StereoSignal] = [:]
  /// What is wrong with the plan.
  private(set) var mistakes: [String] = []
  /// The connections into each strip, in the order in which they are added.
  private(set) var added: [StripID: [Connection]] = [:]

  private let sourceCount: Int
  private var signals: [StereoSignal]
  /// The strip that each buffer holds.
  private var owners: [StripID?]
  private var filled: Set<StripID> = []
  private var read: Set<StripID> = []

  /// The frame at which controls are read; `nil` if none may move.
  private let frame: TimelineFrame?
  private let controls: ControlValues

  /// - Parameters:
  ///   - sourceCount: audio tracks have the ids from 1 on.
  ///   - frame: at which controls are read; `nil` if none may move.
  ///   - controls: may know them from other frames and plans.
  init(
    _ plan: RenderPlan, sourceCount: Int, frame: TimelineFrame? = nil, controls: ControlValues = ControlValues()
  ) {
    self.frame = frame
    self.controls = controls
    self.sourceCount = sourceCount
    output = StereoSignal(sourceCount: sourceCount)
    signals = Array(repeating: output, count: plan.bufferCount)
    owners = Array(repeating: nil, count: plan.bufferCount)
    for step in plan.steps { run(step) }
    for out in plan.directOuts {
      check(StripID(out.trackID, .directOut), out.buffer, "is taken from another's buffer")
      directOuts[out.trackID] = signals[out.buffer]
    }
    for strip in filled where !read.contains(strip) && strip.part != .directOut {
      mistakes.append("\(strip) is not read")
    }
    if plan.directOuts.map(\.trackID) != plan.directOuts.map(\.trackID).sorted() { mistakes.append("direct outs") }
  }

  private mutating func run(_ step: Step) {
    switch step {
    case .clear(let strip, let buffer): fill(strip, buffer, StereoSignal(sourceCount: sourceCount))
    case .sumRegions(let strip, _, let buffer, let width):
      fill(strip, buffer, StereoSignal(source: Int(strip.trackID) - 1, width: width, sourceCount: sourceCount))
    case .playInstrument(let strip, _, let buffer):
      fill(strip, buffer, StereoSignal(source: Int(strip.trackID) - 1, width: .stereo, sourceCount: sourceCount))
    case .monitor(let strip, _, let buffer, _): check(strip, buffer, "hears its input in another's buffer")
    case .shape(let strip, let buffer, let width, let shape):
      check(strip, buffer, "is shaped in another's buffer")
      if read.contains(strip) { mistakes.append("\(strip) is shaped after it was read") }
      if shape == StripShape() { mistakes.append("\(strip) has a shape that changes nothing") }
      let trim = gain(shape.trim)
      signals[buffer] = signals[buffer].times(shape.invertsLeft ? -trim : trim, shape.invertsRight ? -trim : trim)
      if let stereoWidth = shape.stereoWidth {
        signals[buffer] = signals[buffer].widened(gain(stereoWidth))
        if width == .mono { mistakes.append("\(strip) is mono and has a width") }
      }
    case .widen(let strip, let buffer, let gain):
      check(strip, buffer, "is made stereo in another's buffer")
      signals[buffer] = signals[buffer].doubled.times(Double(gain), Double(gain))
    case .insert(let strip, _, let buffer, _, let key):
      // Taken as one that changes nothing.
      check(strip, buffer, "has an effect in another's buffer")
      if read.contains(strip) { mistakes.append("\(strip) has an effect after it was read") }
      if let key, let listening = owners[key] { read.insert(listening) }
    case .delay: mistakes.append("The compiler adds no delays.")
    case .mix(let connection, let source, let width, let target, let left, let right):
      check(connection.source, source, "is not what \(connection) reads")
      check(connection.target, target, "is not what \(connection) adds to")
      if read.contains(connection.target) { mistakes.append("\(connection) adds to what was read") }
      read.insert(connection.source)
      added[connection.target, default: []].append(connection)
      let signal = width == .mono ? signals[source].doubled : signals[source]
      signals[target] += signal.times(gain(left), gain(right))
    case .output(let strip, let buffer, let left, let right):
      check(strip, buffer, "is not the output")
      read.insert(strip)
      output = signals[buffer].times(gain(left), gain(right))
    }
  }

  private mutating func fill(_ strip: StripID, _ buffer: Int, _ signal: StereoSignal) {
    if !filled.insert(strip).inserted { mistakes.append("\(strip) is filled twice") }
    signals[buffer] = signal
    owners[buffer] = strip
  }

  private mutating func check(_ strip: StripID, _ buffer: Int, _ sentence: String) {
    if owners[buffer] != strip { mistakes.append("\(strip) \(sentence)") }
  }

  private mutating func gain(_ control: Control) -> Double {
    if case .constant(let gain) = control { return Double(gain) }
    guard let frame else {
      mistakes.append("a gain that moves")
      return 0
    }
    return Double(controls.value(of: control, at: frame))
  }
}

extension Control {
  /// Its value, as the engine computes it.
  func value(at frame: TimelineFrame) -> Float { ControlValues().value(of: self, at: frame) }
}

/// The values of controls, as the engine computes them: each is linked once, which takes far longer than a value.
final class ControlValues {
  private var runners: [Control: PlanRunner] = [:]

  private func runner(of control: Control) -> PlanRunner {
    if let known = runners[control] { return known }
    let plan = RenderPlan(
      sampleRate: SampleRate(hertz: 48_000), sources: [], instruments: [], regions: [],
      steps: [.clear(StripID(0), buffer: 0), .output(StripID(0), buffer: 0, left: control, right: .unity)],
      bufferCount: 1, endFrame: 0)
    let runner = PlanRunner(LinkedPlan(plan, maximumFrames: 1))
    runners[control] = runner
    return runner
  }

  func value(of control: Control, at frame: TimelineFrame) -> Float {
    let runner = self.runner(of: control)
    var gain: Float = 0
    let gains = runner.plan.sides[0]
    runner.evaluate(gains.left, at: 0, frame: frame, earlierFrame: frame, 1, into: &gain)
    return gain
  }
}
