/// Some consecutive steps of a plan. A bounce of many instruments and effects runs one pass over the whole range before
/// it begins the next, so that only those of one pass are in memory. Instruments that no step plays are in none.
public struct PlanPass: Sendable {
  /// The pass's steps, with its instruments only. Its direct outs are what it keeps, in that order, and behind these the
  /// whole plan's that it completes. A step that plays instrument i reads stream i: these instruments, then `streams`.
  public var plan: RenderPlan
  public var streams: [Stream]
  /// The buffers that it finds as the pass before has left them, none of which is one of `streams`.
  public var restored: [Int]
  /// The buffers that it leaves to the next pass.
  public var kept: [Int]

  /// The whole plan's direct outs that no later pass changes.
  public var completedOuts: ArraySlice<DirectOut> { plan.directOuts[kept.count...] }

  /// What a pass reads besides its instruments.
  public enum Stream: Hashable, Sendable {
    /// The stream of this number behind the whole plan's instruments.
    case given(Int)
    /// What the pass before has left, by its place in `kept`: effects need all of it in order.
    case kept(Int)
  }
}

extension RenderPlan {
  /// Divides the plan. Each sum keeps its order, so no bit changes.
  /// - Parameters:
  ///   - limit: the most instruments in a pass, at least 1.
  ///   - stageLimit: the most strips with effects and given streams in a pass, at least 1. What does not fit into any
  ///     pass alone is one of its own.
  public func passes(atMost limit: Int, stages stageLimit: Int = .max) -> [PlanPass] {
    let cuts = self.cuts(atMost: limit, stageLimit)
    let live = buffersInUse(before: cuts)
    let outs = outsByLastChange
    return (0...cuts.count).map { number in
      let isLast = number == cuts.count
      let first = number == 0 ? 0 : cuts[number - 1]
      let last = isLast ? steps.count : cuts[number]
      let completed = outs.filter { $0.step >= first && (isLast || $0.step < last) }
      return pass(
        first..<last, restored: number == 0 ? [] : live[number - 1], kept: isLast ? [] : live[number],
        completing: completed.map(\.out))
    }
  }

  /// The steps before which a pass begins: each fills a strip with sound of its own.
  private func cuts(atMost limit: Int, _ stageLimit: Int) -> [Int] {
    let strips = self.strips
    let (instrumentCount, stageCount) = strips.reduce((0, 0)) { ($0.0 + $1.instruments, $0.1 + $1.stages) }
    func share(_ count: Int, _ passes: Int) -> Int { (count + passes - 1) / passes }
    let count = max(1, share(instrumentCount, limit), stageLimit == .max ? 1 : share(stageCount, stageLimit))
    // Nearly equal passes.
    let most = (instruments: max(1, share(instrumentCount, count)), stages: max(1, share(stageCount, count)))
    var cuts: [Int] = []
    var (instruments, stages) = (0, 0)
    for strip in strips {
      let isFull = instruments + strip.instruments > most.instruments || stages + strip.stages > most.stages
      if count > 1, isFull, instruments + stages > 0 {
        cuts.append(strip.first)
        (instruments, stages) = (0, 0)
      }
      instruments += strip.instruments
      stages += strip.stages
    }
    return cuts
  }

  /// Consecutive steps that a pass has all of: from one that fills a strip with sound up to the next one.
  private struct StripSteps {
    var first: Int
    var instruments = 0
    /// Strips with effects, and given streams.
    var stages = 0
  }

  private var strips: [StripSteps] {
    var strips = [StripSteps(first: 0)]
    var withEffects = Set<Int>()
    for (index, step) in steps.enumerated() {
      switch step {
      case .playInstrument(_, let stream, let buffer):
        let isInstrument = stream < instruments.count
        strips.append(
          StripSteps(first: index, instruments: isInstrument ? 1 : 0, stages: isInstrument ? 0 : 1))
        withEffects.remove(buffer)
      case .sumRegions(_, _, let buffer, _):
        strips.append(StripSteps(first: index))
        withEffects.remove(buffer)
      case .clear(_, let buffer): withEffects.remove(buffer)
      case .insert(_, _, let buffer, _, _):
        if withEffects.insert(buffer).inserted { strips[strips.count - 1].stages += 1 }
      case .shape, .widen, .monitor, .delay, .mix, .output: break
      }
    }
    return strips
  }

  /// The direct outs, each with the step that changes it last; the number of steps where none does.
  private var outsByLastChange: [(out: DirectOut, step: Int)] {
    var last: [Int: Int] = [:]
    for (index, step) in steps.enumerated() { for buffer in step.filled + step.changed { last[buffer] = index } }
    return directOuts.map { ($0, last[$0.buffer] ?? steps.count) }
  }

  private func pass(
    _ range: Range<Int>, restored: [Int], kept: [Int], completing outs: [DirectOut]
  ) -> PlanPass {
    var plan = self
    plan.steps = Array(steps[range])
    // What is kept as well, so that no step leaves it out because nothing reads it.
    plan.directOuts = kept.map { DirectOut(trackID: 0, buffer: $0) } + outs
    var streams: [PlanPass.Stream] = []
    let hasEffects = plan.steps.contains { if case .insert = $0 { true } else { false } }
    if hasEffects {
      for (place, buffer) in restored.enumerated().reversed() {
        let strip = strip(in: buffer, before: range.lowerBound)
        plan.steps.insert(.playInstrument(strip, -1 - place, into: buffer), at: 0)
      }
    }
    plan.instruments = []
    for place in plan.steps.indices {
      guard case .playInstrument(let strip, let index, let buffer) = plan.steps[place] else { continue }
      if index >= 0, index < instruments.count {
        plan.instruments.append(instruments[index])
        plan.steps[place] = .playInstrument(strip, plan.instruments.count - 1, into: buffer)
      } else {
        streams.append(index < 0 ? .kept(-1 - index) : .given(index - instruments.count))
        // Behind the instruments, when these are counted.
        plan.steps[place] = .playInstrument(strip, -streams.count, into: buffer)
      }
    }
    for place in plan.steps.indices {
      guard case .playInstrument(let strip, let index, let buffer) = plan.steps[place], index < 0 else { continue }
      plan.steps[place] = .playInstrument(strip, plan.instruments.count - 1 - index, into: buffer)
    }
    plan.keepUsedInserts()
    return PlanPass(plan: plan, streams: streams, restored: hasEffects ? [] : restored, kept: kept)
  }

  /// The strip that a buffer holds before a step.
  private func strip(in buffer: Int, before step: Int) -> StripID {
    for step in steps[..<step].reversed() {
      switch step {
      case .clear(let strip, buffer), .sumRegions(let strip, _, buffer, _), .playInstrument(let strip, _, buffer):
        return strip
      default: continue
      }
    }
    return StripID(0)
  }

  /// Drops the effects that no step runs.
  private mutating func keepUsedInserts() {
    let all = inserts
    inserts = []
    for place in steps.indices {
      guard case .insert(let strip, let index, let buffer, let width, let key) = steps[place] else { continue }
      inserts.append(all[index])
      steps[place] = .insert(strip, inserts.count - 1, buffer: buffer, width: width, key: key)
    }
  }

  /// For each place among the steps, the buffers that were filled before it and are read from there on.
  private func buffersInUse(before places: [Int]) -> [[Int]] {
    var filled: Set<Int> = []
    var filledBefore: [Int: Set<Int>] = [:]
    let places = Set(places)
    for (place, step) in steps.enumerated() {
      filledBefore[place] = places.contains(place) ? filled : nil
      filled.formUnion(step.filled + step.changed)
    }
    var read: Set<Int> = []
    var readAfter: [Int: Set<Int>] = [:]
    for (place, step) in steps.enumerated().reversed() {
      read.subtract(step.filled)
      read.formUnion(step.read + step.changed)
      readAfter[place] = filledBefore[place] == nil ? nil : read
    }
    return places.sorted().map { filledBefore[$0, default: []].intersection(readAfter[$0, default: []]).sorted() }
  }
}

extension Step {
  /// Buffers that are set, whatever they held.
  fileprivate var filled: [Int] {
    switch self {
    case .clear(_, let buffer), .sumRegions(_, _, let buffer, _), .playInstrument(_, _, let buffer): [buffer]
    case .delay(_, _, let target, _, _): [target]
    case .shape, .widen, .monitor, .insert, .mix, .output: []
    }
  }

  /// Buffers that are added to, or changed.
  fileprivate var changed: [Int] {
    switch self {
    case .shape(_, let buffer, _, _), .widen(_, let buffer, _), .insert(_, _, let buffer, _, _),
      .monitor(_, _, let buffer, _):
      [buffer]
    case .mix(_, _, _, let target, _, _): [target]
    case .clear, .sumRegions, .playInstrument, .delay, .output: []
    }
  }

  fileprivate var read: [Int] {
    switch self {
    case .mix(_, let source, _, _, _, _): [source]
    case .output(_, let buffer, _, _): [buffer]
    case .delay(_, let source, _, _, _): [source]
    case .insert(_, _, _, _, let key): key.map { [$0] } ?? []
    case .clear, .sumRegions, .playInstrument, .shape, .widen, .monitor: []
    }
  }
}
