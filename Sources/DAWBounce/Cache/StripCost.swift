import DAWEngine
import DAWTime

/// Estimates what rendering a strip costs, to decide whether its render is kept: not if that costs hardly more than
/// reading it does.
///
/// The rule: a render is kept if rendering the strip takes at least twice the time of reading its render. What the
/// strip reads counts as what it costs to get: an instrument's render or a part's is read, a part that is not kept is
/// rendered. The times are those of one processor (`Documentation/Performance.md`), and of no other use: they need not
/// be exact, and do not depend on the machine, so that every machine keeps the same.
struct StripCost {
  /// For each part, whether its render is kept.
  private(set) var isKept: [Bool] = []

  /// Nanoseconds per frame of a stereo strip.
  private static let reading = 1.5

  /// - Parameter end: the bounce's last timeline frame.
  init(_ staged: StagedPlan, end: TimelineFrame) {
    var costs = [Double](repeating: Self.reading, count: staged.streamCount)
    for part in staged.parts {
      let own = part.plan.steps.reduce(0) { $0 + Self.cost(of: $1, part.plan, end) }
      let cost = part.inputs.reduce(own) { $0 + costs[$1] }
      let reading = part.width == .mono ? Self.reading / 2 : Self.reading
      isKept.append(cost >= 2 * reading)
      costs.append(isKept[isKept.count - 1] ? reading : cost)
    }
  }

  private static func cost(of step: Step, _ plan: RenderPlan, _ end: TimelineFrame) -> Double {
    switch step {
    case .clear, .playInstrument, .monitor, .output: 0
    case .sumRegions(_, let range, _, let width):
      plan.regions[range].reduce(0) { $0 + cost(of: $1, plan, end) } * Double(width.rawValue)
    case .shape(_, _, let width, _): 0.2 * Double(width.rawValue)
    case .widen, .delay: 0.2
    case .insert(_, let index, _, let width, _): cost(of: plan.inserts[index]) * (width == .mono ? 0.9 : 1)
    case .mix(_, _, _, _, let left, let right): isMoving(left) || isMoving(right) ? 3 : 0.5
    }
  }

  private static func cost(of region: PlannedRegion, _ plan: RenderPlan, _ end: TimelineFrame) -> Double {
    let heard = region.frames.clamped(to: 0..<max(1, end)).count
    let perSample = plan.sources[region.source].isDecoded ? 10.0 : 0.5
    return Double(heard) / Double(max(1, end).number) * perSample
  }

  /// Nanoseconds per frame of a stereo strip.
  private static func cost(of insert: PlannedInsert) -> Double {
    guard insert.share != .constant(0) else { return 1 }
    switch insert.setup.kind {
    case .eq:
      let types = stride(from: 0, to: insert.parameters.count, by: 5).map { insert.parameters[$0] }
      return 1 + 2.2 * Double(types.count { $0 != .constant(0) })
    case .compressor: return 11
    case .gate: return 13
    case .limiter: return 44
    case .delay: return 2.2
    case .reverb: return 36
    }
  }

  private static func isMoving(_ control: Control) -> Bool { if case .constant = control { false } else { true } }
}
