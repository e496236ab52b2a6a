import Synchronization

/// A plan in memory for live playback, with the handles of its streams. Made on a control thread; freed by the last
/// thread that holds a reference, never the audio thread, which only has a pointer.
final class LivePlan: @unchecked Sendable {
  // Unchecked: only atomics, and memory that the audio thread alone uses, change after `init`.
  let number: UInt64
  let plan: RenderPlan
  /// The plan that this one follows; `mapping` maps from that one's timeline.
  let base: UInt64
  /// Raised by each tempo edit: streams of earlier epochs are not reused.
  let timelineEpoch: UInt64
  let memory: UnsafeMutablePointer<LivePlanMemory>
  private let linked: LinkedPlan
  private let runner: PlanRunner

  init(_ plan: RenderPlan, number: UInt64, base: UInt64, timelineEpoch: UInt64, mapping: FrameMapping?) {
    self.plan = plan
    self.base = base
    self.number = number
    self.timelineEpoch = timelineEpoch
    linked = LinkedPlan(plan)
    runner = PlanRunner(linked)
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: LivePlanMemory(
        number: number, maximumFrames: linked.maximumFrames, runner: Unmanaged.passUnretained(runner),
        regions: handles(plan.regions.count),
        heldRegions: handles(plan.regions.count),
        followers: copied([Int](repeating: -1, count: plan.regions.count)),
        instruments: handles(plan.instruments.count),
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

private func handles(_ count: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
  let handles = UnsafeMutablePointer<Atomic<UInt64>>.allocate(capacity: count)
  for index in 0..<count { (handles + index).initialize(to: Atomic(StreamHandle.none.bits)) }
  return handles
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

/// A piecewise linear mapping between the timelines before and after a tempo edit, so that playhead and loop keep their
/// musical positions. See `LinkedMapping`.
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
  /// A record converted to the timeline of a later plan: playhead and loop at their musical positions.
  /// - Parameter number: of the plan. An earlier one than the record's leaves the record unchanged.
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

  /// Maps a frame from one plan's timeline to a later one's.
  /// - Returns: `nil` if a plan between the two is gone.
  func frame(_ frame: Int64, from earlier: UInt64, to later: UInt64) -> Int64? {
    guard let way = way(from: earlier, to: later), way.isWhole else { return nil }
    return way.mappings.reduce(frame) { $1.frame($0) }
  }

  /// The mappings from one plan to a later one, in order. Withdrawn plans are not among them.
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
