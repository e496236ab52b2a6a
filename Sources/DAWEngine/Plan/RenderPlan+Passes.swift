/// Some consecutive steps of a plan. A bounce of many instruments runs one pass over the whole range before it begins
/// the next, so that only the instruments of one pass are in memory. Instruments that no step plays are in none.
public struct PlanPass: Sendable {
  /// The pass's steps, with its instruments only, and what it keeps as direct outs unless it is the only pass.
  public var plan: RenderPlan
  /// The buffers that it finds as the pass before has left them.
  public var restored: [Int]
  /// The buffers that it leaves to the next pass.
  public var kept: [Int]
}

extension RenderPlan {
  /// Divides the plan, so that no pass has more than `limit` instruments. Each sum keeps its order, so no bit changes.
  /// - Parameter limit: at least 1.
  public func passes(atMost limit: Int) -> [PlanPass] {
    let places = steps.indices.filter { steps[$0].instrument != nil }
    let count = max(1, (places.count + limit - 1) / limit)
    // Nearly equal parts, each from an instrument's step up to another's.
    let cuts = (1..<count).map { places[$0 * places.count / count] }
    let live = buffersInUse(before: cuts)
    return (0..<count).map { number in
      let first = number == 0 ? 0 : cuts[number - 1]
      let last = number == count - 1 ? steps.count : cuts[number]
      return pass(
        first..<last, restored: number == 0 ? [] : live[number - 1], kept: number == count - 1 ? [] : live[number])
    }
  }

  private func pass(_ range: Range<Int>, restored: [Int], kept: [Int]) -> PlanPass {
    var plan = self
    plan.instruments = []
    // So that no step leaves one of them out because nothing reads it. A single pass has the plan's own.
    if range != steps.indices { plan.directOuts = kept.map { DirectOut(trackID: 0, buffer: $0) } }
    plan.steps = steps[range].map { step in
      guard case .playInstrument(let strip, let index, let buffer) = step else { return step }
      plan.instruments.append(instruments[index])
      return .playInstrument(strip, plan.instruments.count - 1, into: buffer)
    }
    return PlanPass(plan: plan, restored: restored, kept: kept)
  }

  /// For each place among the steps, the buffers that were filled before it and are read from there on.
  private func buffersInUse(before places: [Int]) -> [[Int]] {
    var filled: Set<Int> = []
    var filledBefore: [Int: Set<Int>] = [:]
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
    return places.map { filledBefore[$0, default: []].intersection(readAfter[$0, default: []]).sorted() }
  }
}

extension Step {
  fileprivate var instrument: Int? {
    if case .playInstrument(_, let index, _) = self { index } else { nil }
  }

  /// Buffers that are set, whatever they held.
  fileprivate var filled: [Int] {
    switch self {
    case .clear(_, let buffer), .sumRegions(_, _, let buffer, _), .playInstrument(_, _, let buffer): [buffer]
    case .delay(_, _, let target, _, _): [target]
    case .shape, .widen, .insert, .mix, .output: []
    }
  }

  /// Buffers that are added to, or changed.
  fileprivate var changed: [Int] {
    switch self {
    case .shape(_, let buffer, _, _), .widen(_, let buffer, _), .insert(_, _, let buffer, _, _): [buffer]
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
    case .clear, .sumRegions, .playInstrument, .shape, .widen: []
    }
  }
}
