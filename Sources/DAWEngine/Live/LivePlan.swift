import Synchronization

/// A plan that is played live: bound to memory, with places for the tickets to its streams. Made on a control thread, and
/// freed by whoever lets go of it last, never the audio thread, which gives its pointer back.
final class LivePlan: @unchecked Sendable {
  // Unchecked: what changes after it is made are atomics, and what the audio thread alone uses.
  let number: UInt64
  let plan: RenderPlan
  /// The plan that this one follows: its mapping leads from that one's timeline.
  let base: UInt64
  /// Raised when the timeline moves under the streams: they are then not those of the plans before.
  let lineage: UInt64
  let memory: UnsafeMutablePointer<LivePlanMemory>
  private let linked: LinkedPlan
  private let runner: PlanRunner

  init(_ plan: RenderPlan, number: UInt64, base: UInt64, lineage: UInt64, mapping: FrameMapping?) {
    self.plan = plan
    self.base = base
    self.number = number
    self.lineage = lineage
    linked = LinkedPlan(plan)
    runner = PlanRunner(linked)
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: LivePlanMemory(
        number: number, maximumFrames: linked.maximumFrames, runner: Unmanaged.passUnretained(runner),
        regions: tickets(plan.regions.count),
        heldRegions: tickets(plan.regions.count),
        followers: copied([Int](repeating: -1, count: plan.regions.count)),
        instruments: tickets(plan.instruments.count),
        instrumentCount: plan.instruments.count, filesReady: locateNumber(), instrumentsReady: locateNumber(),
        directOuts: copied(plan.directOuts), directOutCount: plan.directOuts.count, clicks: copied(plan.clicks),
        clickCount: plan.clicks.count, mapping: LinkedMapping(mapping)))
  }

  deinit {
    memory.pointee.regions.deallocate()
    memory.pointee.heldRegions.deallocate()
    memory.pointee.followers.deallocate()
    memory.pointee.instruments.deallocate()
    memory.pointee.filesReady.deallocate()
    memory.pointee.instrumentsReady.deallocate()
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

private func locateNumber() -> UnsafeMutablePointer<Atomic<UInt64>> {
  let number = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: 1)
  number.initialize(to: Atomic(0))
  return number
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

extension [LivePlan] {
  /// A record as it would be where a plan of these were heard already: playhead and loop at their musical places.
  /// - Parameter number: of the plan; the record itself where that one is heard, or an even later one.
  func record(_ record: TransportRecord, inPlan number: UInt64) -> TransportRecord {
    var there = record
    for mapping in way(from: record.planNumber, to: number)?.mappings ?? [] {
      there.nextFrame = Swift.max(0, mapping.frame(there.nextFrame))
      if mapping.loopBefore == (there.loopFirst, there.loopEnd) {
        (there.loopFirst, there.loopEnd) = (mapping.loopNow.first, mapping.loopNow.end)
      }
    }
    return there
  }

  /// Where a frame of one plan's timeline lies in that of a later one.
  /// - Returns: `nil` where the way is not known.
  func frame(_ frame: Int64, from earlier: UInt64, to later: UInt64) -> Int64? {
    guard let way = way(from: earlier, to: later), way.isWhole else { return nil }
    return way.mappings.reduce(frame) { $1.frame($0) }
  }

  /// What happened to the timeline between two plans, in order. A plan that was taken back before it was heard is on no
  /// plan's way.
  private func way(from earlier: UInt64, to later: UInt64) -> (mappings: [LinkedMapping], isWhole: Bool)? {
    var mappings: [LinkedMapping] = []
    var number = later
    while number > earlier {
      guard let plan = last(where: { $0.number == number }) else { return nil }
      if plan.memory.pointee.mapping.count > 0 { mappings.append(plan.memory.pointee.mapping) }
      number = plan.base
    }
    return (mappings.reversed(), number == earlier)
  }
}
