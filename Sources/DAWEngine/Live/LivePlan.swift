import Synchronization

/// A plan that is played live: bound to memory, with places for the tickets to its streams. Made on a control thread, and
/// freed by whoever lets go of it last, never the audio thread, which gives its pointer back.
final class LivePlan: @unchecked Sendable {
  // Unchecked: what changes after it is made are atomics, and what the audio thread alone uses.
  let number: UInt64
  let plan: RenderPlan
  /// Raised when the timeline moves under the streams: they are then not those of the plans before.
  let lineage: UInt64
  let memory: UnsafeMutablePointer<LivePlanMemory>
  private let linked: LinkedPlan
  private let runner: PlanRunner

  init(_ plan: RenderPlan, number: UInt64, lineage: UInt64, mapping: FrameMapping?) {
    self.plan = plan
    self.number = number
    self.lineage = lineage
    linked = LinkedPlan(plan)
    runner = PlanRunner(linked)
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: LivePlanMemory(
        number: number, maximumFrames: linked.maximumFrames, runner: Unmanaged.passUnretained(runner),
        regions: tickets(plan.regions.count),
        heldRegions: tickets(plan.regions.count), instruments: tickets(plan.instruments.count),
        instrumentCount: plan.instruments.count,
        directOuts: copied(plan.directOuts), directOutCount: plan.directOuts.count, clicks: copied(plan.clicks),
        clickCount: plan.clicks.count, mapping: LinkedMapping(mapping)))
  }

  deinit {
    memory.pointee.regions.deallocate()
    memory.pointee.heldRegions.deallocate()
    memory.pointee.instruments.deallocate()
    memory.pointee.directOuts.deallocate()
    memory.pointee.clicks.deallocate()
    memory.pointee.mapping.frames.deallocate()
    memory.deallocate()
  }
}

private func tickets(_ count: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
  let tickets = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: count)
  for index in 0..<count { (tickets + index).initialize(to: Atomic(StreamTicket.none.bits)) }
  return tickets
}

private func copied<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
  let copy = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
  for (index, element) in elements.enumerated() { (copy + index).initialize(to: element) }
  return copy
}

/// Where the places of one timeline lie in another, as points on the way: what a tempo edit does to a playhead that is to
/// keep its musical place.
struct FrameMapping {
  var first: Int64
  var step: Int64
  var frames: [Int64]
  var loopBefore: Range<Int64>?
  var loopNow: Range<Int64>?
}

extension LinkedMapping {
  init(_ mapping: FrameMapping?) {
    let before = mapping?.loopBefore ?? 0..<0
    let now = mapping?.loopNow ?? 0..<0
    self.init(
      first: mapping?.first ?? 0, step: mapping?.step ?? 1, frames: copied(mapping?.frames ?? []),
      count: mapping?.frames.count ?? 0, loopBefore: (before.lowerBound, before.upperBound),
      loopNow: (now.lowerBound, now.upperBound))
  }
}
