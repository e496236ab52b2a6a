// Latency. A step's lead is the latency between it and the output: for output frame n it does its work on timeline
// frame n + lead, so that an effect behaves as if it had none.

extension RenderPlan {
  /// The most frames that a step runs ahead of the output.
  public var latency: Int { hasLatency ? leads.max() ?? 0 : 0 }

  private var hasLatency: Bool { inserts.contains { $0.latency > 0 } }

  /// For each step of a plan with delays, its lead in frames.
  public var leads: [Int] {
    guard hasLatency else { return [Int](repeating: 0, count: steps.count) }
    return LeadWalk(self).stepLeads
  }

  /// The plan with delays where ways of different latency meet, so that frame n of every sum is timeline frame n of all
  /// that it adds. Unchanged if nothing has latency.
  public var withDelays: RenderPlan {
    guard hasLatency else { return self }
    let walk = LeadWalk(self)
    var plan = self
    plan.steps = []
    // Each delay is read by the step behind it alone.
    let delayed = bufferCount
    plan.bufferCount += 1
    for (index, step) in steps.enumerated() {
      guard let read = walk.reads[index], walk.lead(of: read) > read.lead else {
        plan.steps.append(step)
        continue
      }
      let frameCount = walk.lead(of: read) - read.lead
      switch step {
      case .mix(let connection, let source, let width, let target, let left, let right):
        plan.steps += [
          .delay(.connection(connection), source, into: delayed, width: width, frameCount: frameCount),
          .mix(connection, delayed, width: width, into: target, left: left, right: right),
        ]
      case .insert(let strip, let insert, let buffer, let width, let key?):
        plan.steps += [
          .delay(
            .end(StripID(strip.trackID, .key(inserts[insert].effectID))), key, into: delayed, width: .stereo,
            frameCount: frameCount),
          .insert(strip, insert, buffer: buffer, width: width, key: delayed),
        ]
      default: plan.steps.append(step)
      }
    }
    for (index, out) in directOuts.enumerated() {
      let lead = walk.lead(of: walk.directOutReads[index])
      guard lead > 0 else { continue }
      plan.directOuts[index].buffer = plan.bufferCount
      plan.steps.append(
        .delay(
          .end(StripID(out.trackID, .directOut)), out.buffer, into: plan.bufferCount, width: .stereo, frameCount: lead))
      plan.bufferCount += 1
    }
    return plan
  }
}

/// A walk through a plan's steps from the last to the first, which gives each the lead of what reads it.
private struct LeadWalk {
  /// A step's read of what another step has left in a buffer.
  struct Read {
    /// Frames by which the reader runs ahead.
    var lead: Int
    /// What is read: between two steps that fill or delay the buffer.
    var stretch: Int
  }

  private(set) var stepLeads: [Int]
  /// For each step that reads a buffer other than the one it works on, that read.
  private(set) var reads: [Read?]
  /// For each direct out.
  private(set) var directOutReads: [Read] = []
  /// The greatest lead of each stretch's readers.
  private var leads: [Int] = []
  /// The stretch that each buffer is in.
  private var current: [Int]

  init(_ plan: RenderPlan) {
    stepLeads = Array(repeating: 0, count: plan.steps.count)
    reads = Array(repeating: nil, count: plan.steps.count)
    current = []
    for _ in 0..<plan.bufferCount { current.append(begin(lead: 0)) }
    for out in plan.directOuts { directOutReads.append(read(out.buffer, lead: 0)) }
    for (index, step) in plan.steps.enumerated().reversed() {
      switch step {
      case .clear(_, let buffer), .sumRegions(_, _, let buffer, _), .playInstrument(_, _, let buffer):
        stepLeads[index] = leads[current[buffer]]
        current[buffer] = begin(lead: 0)
      case .shape(_, let buffer, _, _), .widen(_, let buffer, _), .monitor(_, _, let buffer, _):
        stepLeads[index] = leads[current[buffer]]
      case .insert(_, let insert, let buffer, _, let key):
        let lead = leads[current[buffer]] + plan.inserts[insert].latency
        stepLeads[index] = lead
        current[buffer] = begin(lead: lead)
        if let key { reads[index] = read(key, lead: lead) }
      case .delay(_, let source, let target, _, let frameCount):
        stepLeads[index] = leads[current[target]] + frameCount
        current[target] = begin(lead: 0)
        reads[index] = read(source, lead: stepLeads[index])
      case .mix(_, let source, _, let target, _, _):
        stepLeads[index] = leads[current[target]]
        reads[index] = read(source, lead: stepLeads[index])
      case .output: break
      }
    }
  }

  /// The lead at which what is read is there.
  func lead(of read: Read) -> Int { leads[read.stretch] }

  private mutating func read(_ buffer: Int, lead: Int) -> Read {
    leads[current[buffer]] = max(leads[current[buffer]], lead)
    return Read(lead: lead, stretch: current[buffer])
  }

  private mutating func begin(lead: Int) -> Int {
    leads.append(lead)
    return leads.count - 1
  }
}
