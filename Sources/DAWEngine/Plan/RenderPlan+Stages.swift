import DAWTime

/// A plan divided for the bounce: what has memory in stages, each of which is rendered in order, and the rest, whose
/// blocks can be rendered in any order.
///
/// A step that plays instrument i reads stream i: the plan's instruments, then the streams that it is given, then its
/// parts.
public struct StagedPlan: Sendable {
  /// A strip up to and with its effects.
  public struct Part: Sendable {
    /// Its output is the strip.
    public var plan: RenderPlan
    /// The streams that it reads.
    public var inputs: [Int]
    public var strip: StripID
    /// The strip's channels behind its effects.
    public var width: ChannelWidth
    /// The step of the whole plan behind which the strip is as the part renders it.
    public var lastStep: Int
    /// Frames by which it reads its inputs ahead.
    public var latency: Int
  }

  /// A part comes after those that it reads.
  public var parts: [Part] = []
  /// The steps behind all parts; it reads their outputs as streams.
  public var rest: RenderPlan
  /// The streams that the rest reads.
  var restInputs: [Int] = []
  /// Number of streams that come before the parts'.
  public var streamCount: Int
}

extension StagedPlan {
  /// For each stream, the timeline frame up to which it is read when the rest is rendered up to a frame; `nil` if
  /// nothing reads it.
  /// - Parameter isRendered: whether a part is rendered, and so reads its inputs; called from the last part to the
  ///   first, with the frame up to which it is read, for those that are.
  public func ends(until end: TimelineFrame, isRendered: (Int, TimelineFrame) -> Bool = { _, _ in true })
    -> [TimelineFrame?]
  {
    var ends = [TimelineFrame?](repeating: nil, count: streamCount + parts.count)
    for input in restInputs { ends[input] = end }
    for (index, part) in parts.enumerated().reversed() {
      guard let own = ends[streamCount + index], isRendered(index, own) else { continue }
      for input in part.inputs { ends[input] = max(ends[input] ?? 0, own + part.latency) }
    }
    return ends
  }
}

extension RenderPlan {
  /// The plan in stages: one for each strip with effects. What several of them read, and has no effect, each computes
  /// for itself.
  /// - Parameter givenCount: streams that the plan's steps play behind its instruments.
  public func staged(givenCount: Int = 0) -> StagedPlan {
    let signals = Signals(self)
    var staged = StagedPlan(rest: self, streamCount: instruments.count + givenCount)
    let streams = Dictionary(
      uniqueKeysWithValues: signals.staged.enumerated().map { ($1, staged.streamCount + $0) })
    for signal in signals.staged {
      let strip = signals.signals[signal]
      var divided = dividedPlan(
        signals, [signal], streams: streams, as: signal,
        ending: [.output(strip.id, buffer: strip.buffer, left: .unity, right: .unity)])
      divided.plan.keepUsedBuffers()
      staged.parts.append(
        StagedPlan.Part(
          plan: divided.plan, inputs: divided.inputs, strip: strip.id, width: strip.width, lastStep: strip.lastStep,
          latency: divided.plan.withDelays.latency))
    }
    guard !inserts.isEmpty else {
      for case .playInstrument(_, let stream, _) in steps { staged.restInputs.append(stream) }
      return staged
    }
    (staged.rest, staged.restInputs) = dividedPlan(signals, signals.ends, streams: streams, ending: outputs)
    return staged
  }

  /// The plan that reads some strips with effects from streams, behind its instruments, and without what only these
  /// need.
  /// - Parameter lastSteps: of the parts whose frames are given, as in `StagedPlan.Part`; in the order of the streams.
  public func reading(_ lastSteps: [Int]) -> RenderPlan {
    let signals = Signals(self)
    var streams: [Int: Int] = [:]
    for (number, step) in lastSteps.enumerated() {
      if let signal = signals.signalOfStep[step] { streams[signal] = instruments.count + number }
    }
    var plan = dividedPlan(signals, signals.ends, streams: streams, ending: outputs).plan
    plan.keepPlayedInstruments()
    return plan
  }

  /// The plan whose output is a strip with effects.
  /// - Parameter lastStep: of the part, as in `StagedPlan.Part`.
  public func endingWith(_ lastStep: Int) -> RenderPlan {
    let signals = Signals(self)
    guard let signal = signals.signalOfStep[lastStep] else { return self }
    let strip = signals.signals[signal]
    var plan = dividedPlan(
      signals, [signal], streams: [:], ending: [.output(strip.id, buffer: strip.buffer, left: .unity, right: .unity)]
    ).plan
    plan.directOuts = []
    plan.keepPlayedInstruments()
    return plan
  }

  /// Numbers the buffers that the steps use anew: a part of a large plan would need memory for all of them. It has no
  /// direct outs.
  private mutating func keepUsedBuffers() {
    var numbers: [Int: Int] = [:]
    func number(_ buffer: Int) -> Int {
      let number = numbers[buffer] ?? numbers.count
      numbers[buffer] = number
      return number
    }
    for (index, step) in steps.enumerated() { steps[index] = step.inBuffers(number) }
    bufferCount = max(1, numbers.count)
  }

  private var outputs: [Step] { steps.filter { if case .output = $0 { true } else { false } } }

  /// Drops the instruments that no step plays, and numbers the streams anew.
  mutating func keepPlayedInstruments() {
    let all = instruments
    instruments = []
    var numbers: [Int: Int] = [:]
    for case .playInstrument(_, let index, _) in steps where index < all.count && numbers[index] == nil {
      numbers[index] = instruments.count
      instruments.append(all[index])
    }
    for place in steps.indices {
      guard case .playInstrument(let strip, let index, let buffer) = steps[place] else { continue }
      steps[place] = .playInstrument(strip, numbers[index] ?? index - all.count + instruments.count, into: buffer)
    }
  }

  /// The steps that some signals need.
  /// - Parameters:
  ///   - streams: the stream of each signal that is read from one.
  ///   - own: one of these that is not read, but made.
  private func dividedPlan(
    _ signals: Signals, _ needed: [Int], streams: [Int: Int], as own: Int? = nil, ending: [Step]
  ) -> (plan: RenderPlan, inputs: [Int]) {
    var taken = Set<Int>()
    var queue = needed
    while let signal = queue.popLast() {
      guard taken.insert(signal).inserted else { continue }
      if signal == own || streams[signal] == nil { queue += signals.signals[signal].reads }
    }
    var plan = self
    var inputs: [Int] = []
    (plan.steps, plan.regions, plan.inserts) = ([], [], [])
    if own != nil { plan.directOuts = [] }
    for (index, step) in steps.enumerated() {
      guard let signal = signals.signalOfStep[index], taken.contains(signal) else { continue }
      if let stream = streams[signal], signal != own {
        guard signals.signals[signal].lastStep == index else { continue }
        inputs.append(stream)
        plan.steps.append(
          .playInstrument(signals.signals[signal].id, stream, into: signals.signals[signal].buffer))
        continue
      }
      if case .playInstrument(_, let stream, _) = step { inputs.append(stream) }
      plan.adopt(step, of: self)
    }
    plan.steps += ending
    return (plan, inputs)
  }

  /// Adds a step of the whole plan, with its regions or its effect.
  private mutating func adopt(_ step: Step, of whole: RenderPlan) {
    switch step {
    case .sumRegions(let strip, let range, let buffer, let width):
      let first = regions.count
      regions += whole.regions[range]
      steps.append(.sumRegions(strip, first..<regions.count, into: buffer, width: width))
    case .insert(let strip, let index, let buffer, let width, let key):
      inserts.append(whole.inserts[index])
      steps.append(.insert(strip, inserts.count - 1, buffer: buffer, width: width, key: key))
    default: steps.append(step)
    }
  }
}

extension Step {
  /// The step with each buffer in another's place.
  package func inBuffers(_ number: (Int) -> Int) -> Step {
    switch self {
    case .clear(let strip, let buffer): .clear(strip, buffer: number(buffer))
    case .sumRegions(let strip, let range, let buffer, let width):
      .sumRegions(strip, range, into: number(buffer), width: width)
    case .monitor(let strip, let monitoring, let buffer, let width):
      .monitor(strip, monitoring, buffer: number(buffer), width: width)
    case .playInstrument(let strip, let index, let buffer): .playInstrument(strip, index, into: number(buffer))
    case .shape(let strip, let buffer, let width, let shape):
      .shape(strip, buffer: number(buffer), width: width, shape)
    case .widen(let strip, let buffer, let gain): .widen(strip, buffer: number(buffer), gain: gain)
    case .insert(let strip, let index, let buffer, let width, let key):
      .insert(strip, index, buffer: number(buffer), width: width, key: key.map(number))
    case .delay(let id, let source, let target, let width, let frameCount):
      .delay(id, number(source), into: number(target), width: width, frameCount: frameCount)
    case .mix(let connection, let source, let width, let target, let left, let right):
      .mix(connection, number(source), width: width, into: number(target), left: left, right: right)
    case .output(let strip, let buffer, let left, let right):
      .output(strip, buffer: number(buffer), left: left, right: right)
    }
  }
}

/// What a plan's buffers hold, one after the other.
private struct Signals {
  struct Signal {
    var id: StripID
    var buffer: Int
    var width: ChannelWidth
    /// The signals that it is made of.
    var reads: [Int] = []
    var hasEffects = false
    /// The last step that makes it.
    var lastStep: Int
  }

  private(set) var signals: [Signal] = []
  /// For each step the signal that it makes; none for an output.
  private(set) var signalOfStep: [Int?]
  /// The signals that are read after the last step, or output.
  private(set) var ends: [Int] = []
  /// The signals with effects, in order.
  let staged: [Int]

  init(_ plan: RenderPlan) {
    signalOfStep = plan.steps.map { _ in nil }
    var held = [Int?](repeating: nil, count: plan.bufferCount)
    var signals: [Signal] = []
    var ends: [Int] = []
    for (index, step) in plan.steps.enumerated() {
      func begin(_ id: StripID, _ buffer: Int, _ width: ChannelWidth = .stereo) {
        held[buffer] = signals.count
        signals.append(Signal(id: id, buffer: buffer, width: width, lastStep: index))
      }
      func change(_ buffer: Int, reading source: Int?) -> Int? {
        guard let signal = held[buffer] else { return nil }
        signals[signal].lastStep = index
        if let read = source.flatMap({ held[$0] }) { signals[signal].reads.append(read) }
        return signal
      }
      switch step {
      case .clear(let id, let buffer), .playInstrument(let id, _, let buffer):
        begin(id, buffer)
        signalOfStep[index] = held[buffer]
      case .sumRegions(let id, _, let buffer, let width):
        begin(id, buffer, width)
        signalOfStep[index] = held[buffer]
      case .shape(_, let buffer, _, _), .monitor(_, _, let buffer, _):
        signalOfStep[index] = change(buffer, reading: nil)
      case .widen(_, let buffer, _):
        signalOfStep[index] = change(buffer, reading: nil)
        if let signal = held[buffer] { signals[signal].width = .stereo }
      case .insert(_, _, let buffer, let width, let key):
        let signal = change(buffer, reading: key)
        if let signal {
          signals[signal].hasEffects = true
          signals[signal].width = width
        }
        signalOfStep[index] = signal
      case .mix(_, let source, _, let target, _, _):
        signalOfStep[index] = change(target, reading: source)
        if let signal = held[target] { signals[signal].width = .stereo }
      case .delay(_, let source, let target, let width, _):
        begin(held[source].map { signals[$0].id } ?? StripID(0), target, width)
        signalOfStep[index] = change(target, reading: source)
      case .output(_, let buffer, _, _): if let signal = held[buffer] { ends.append(signal) }
      }
    }
    for out in plan.directOuts { if let signal = held[out.buffer] { ends.append(signal) } }
    self.signals = signals
    self.ends = ends
    staged = signals.indices.filter { signals[$0].hasEffects }.sorted { signals[$0].lastStep < signals[$1].lastStep }
  }
}
