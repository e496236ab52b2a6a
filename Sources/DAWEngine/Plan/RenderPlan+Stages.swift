/// A plan divided for the bounce: what has memory in stages, each of which is rendered in order, and the rest, whose
/// blocks can be rendered in any order.
public struct StagedPlan: Sendable {
  /// A strip up to and with its effects.
  public struct Part: Sendable {
    /// Its output is the strip. A step that plays instrument i reads stream i: the instruments of the whole plan, then its
    /// parts.
    public var plan: RenderPlan
    /// The streams that it reads.
    public var inputs: [Int]
  }

  /// Each after those that it reads.
  public var parts: [Part] = []
  /// Likewise.
  public var rest: RenderPlan
}

extension RenderPlan {
  /// The plan in stages: one for each strip with effects. What several of them read, and has no effect, each computes for
  /// itself.
  public var staged: StagedPlan {
    guard !inserts.isEmpty else { return StagedPlan(rest: self) }
    let signals = Signals(self)
    var staged = StagedPlan(rest: self)
    for signal in signals.staged {
      let strip = signals.signals[signal]
      staged.parts.append(
        part(
          signals, [signal], as: signal,
          ending: [.output(strip.id, buffer: strip.buffer, left: .unity, right: .unity)]))
    }
    let ends = steps.filter { if case .output = $0 { true } else { false } }
    staged.rest = part(signals, signals.ends, as: nil, ending: ends).plan
    return staged
  }

  /// The steps that some signals need, where those with a stage of their own are read.
  private func part(_ signals: Signals, _ needed: [Int], as own: Int?, ending: [Step]) -> StagedPlan.Part {
    var taken = Set<Int>()
    var queue = needed
    while let signal = queue.popLast() {
      guard taken.insert(signal).inserted else { continue }
      if signal == own || signals.streams[signal] == nil { queue += signals.signals[signal].reads }
    }
    var part = StagedPlan.Part(plan: self, inputs: [])
    (part.plan.steps, part.plan.regions, part.plan.inserts) = ([], [], [])
    if own != nil { part.plan.directOuts = [] }
    for (index, step) in steps.enumerated() {
      guard let signal = signals.signalOfStep[index], taken.contains(signal) else { continue }
      if let stream = signals.streams[signal], signal != own {
        guard signals.signals[signal].lastStep == index else { continue }
        part.inputs.append(instruments.count + stream)
        part.plan.steps.append(
          .playInstrument(
            signals.signals[signal].id, instruments.count + stream, into: signals.signals[signal].buffer))
        continue
      }
      part.plan.steps.append(part.adopt(step, of: self))
    }
    part.plan.steps += ending
    return part
  }
}

extension StagedPlan.Part {
  /// A step of the whole plan as one of the part.
  fileprivate mutating func adopt(_ step: Step, of whole: RenderPlan) -> Step {
    switch step {
    case .sumRegions(let strip, let range, let buffer, let width):
      let first = plan.regions.count
      plan.regions += whole.regions[range]
      return .sumRegions(strip, first..<plan.regions.count, into: buffer, width: width)
    case .playInstrument(_, let index, _):
      inputs.append(index)
      return step
    case .insert(let strip, let index, let buffer, let width, let key):
      plan.inserts.append(whole.inserts[index])
      return .insert(strip, plan.inserts.count - 1, buffer: buffer, width: width, key: key)
    default: return step
    }
  }
}

/// What a plan's buffers hold, one after the other.
private struct Signals {
  struct Signal {
    var id: StripID
    var buffer: Int
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
  /// For each of these its place in `staged`.
  let streams: [Int: Int]

  init(_ plan: RenderPlan) {
    signalOfStep = plan.steps.map { _ in nil }
    var held = [Int?](repeating: nil, count: plan.bufferCount)
    var signals: [Signal] = []
    var ends: [Int] = []
    for (index, step) in plan.steps.enumerated() {
      func begin(_ id: StripID, _ buffer: Int) {
        held[buffer] = signals.count
        signals.append(Signal(id: id, buffer: buffer, lastStep: index))
      }
      func change(_ buffer: Int, reading source: Int?) -> Int? {
        guard let signal = held[buffer] else { return nil }
        signals[signal].lastStep = index
        if let read = source.flatMap({ held[$0] }) { signals[signal].reads.append(read) }
        return signal
      }
      switch step {
      case .clear(let id, let buffer), .sumRegions(let id, _, let buffer, _), .playInstrument(let id, _, let buffer):
        begin(id, buffer)
        signalOfStep[index] = held[buffer]
      case .shape(_, let buffer, _, _), .widen(_, let buffer, _):
        signalOfStep[index] = change(buffer, reading: nil)
      case .insert(_, _, let buffer, _, let key):
        let signal = change(buffer, reading: key)
        if let signal { signals[signal].hasEffects = true }
        signalOfStep[index] = signal
      case .mix(_, let source, _, let target, _, _): signalOfStep[index] = change(target, reading: source)
      case .delay(_, let source, let target, _, _):
        begin(held[source].map { signals[$0].id } ?? StripID(0), target)
        signalOfStep[index] = change(target, reading: source)
      case .output(_, let buffer, _, _): if let signal = held[buffer] { ends.append(signal) }
      }
    }
    for out in plan.directOuts { if let signal = held[out.buffer] { ends.append(signal) } }
    self.signals = signals
    self.ends = ends
    staged = signals.indices.filter { signals[$0].hasEffects }.sorted { signals[$0].lastStep < signals[$1].lastStep }
    streams = Dictionary(uniqueKeysWithValues: staged.enumerated().map { ($1, $0) })
  }
}
