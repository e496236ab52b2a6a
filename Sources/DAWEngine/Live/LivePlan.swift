import DAWTime
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
  /// Frames that it reads files and instruments ahead of the playhead.
  let latency: Int
  /// The memories of its effects and delays.
  let states: ProcessorStates
  /// The buffers that it mixes in.
  let buffers: MixBuffers
  private let runner: PlanRunner
  private let passage: PlanRunner?
  /// The tables of `memory`.
  private let slab: UnsafeMutableRawPointer

  /// - Parameters:
  ///   - before: the plan that is heard, for the passage from it; `nil` if none is.
  ///   - playhead: about where the plan takes over: its timeline frame.
  init(
    _ plan: RenderPlan, number: UInt64, base: UInt64, before: LivePlan?, timelineEpoch: UInt64, mapping: FrameMapping?,
    playhead: TimelineFrame
  ) {
    let plan = plan.withOwnSettings
    self.plan = plan
    self.base = base
    self.number = number
    self.timelineEpoch = timelineEpoch
    let delayed = plan.withDelays
    let states = ProcessorStates(delayed, reusing: before.map { [$0.states] } ?? [])
    self.states = states
    let linked = LinkedPlan(
      delayed: delayed, streams: nil, states: states, maximumFrames: RenderPlan.maximumFrames,
      buffers: before?.buffers)
    runner = PlanRunner(linked)
    let joined = before.flatMap {
      Passage(from: $0.plan, to: plan, isMoved: $0.timelineEpoch != timelineEpoch)
    }
    let needsRestart = joined?.needsRestart ?? false
    let passed = needsRestart ? nil : joined?.plan.withDelays
    passage = passed.map { passed in
      let linked = LinkedPlan(
        delayed: passed, streams: joined?.streams,
        states: ProcessorStates(passed, reusing: [states] + (before.map { [$0.states] } ?? [])),
        maximumFrames: RenderPlan.maximumFrames, buffers: linked.buffers)
      return PlanRunner(linked)
    }
    buffers = linked.buffers
    let directOuts = passed?.directOuts ?? []
    latency = linked.latency
    memory = .allocate(capacity: 1)
    let (slab, tables) = Slab.allocate { [runner, passage] slab in
      LivePlanMemory(
        number: number, maximumFrames: RenderPlan.maximumFrames, runner: Unmanaged.passUnretained(runner),
        passage: passage.map { Unmanaged.passUnretained($0) }, passageDirectOuts: slab.copy(directOuts),
        passageDirectOutCount: directOuts.count, passageBase: before?.number ?? 0,
        needsRestart: needsRestart, latency: linked.latency,
        isMonitored: linked.memory.monitorCount > 0, movesGains: linked.movesGains,
        regions: slab.handles(plan.regions.count), heldRegions: slab.handles(plan.regions.count),
        followers: slab.copy(delayed.followers(at: playhead)),
        passageFollowers: slab.copy(passed?.followers(at: playhead) ?? []),
        instruments: slab.handles(plan.instruments.count), instrumentCount: plan.instruments.count,
        filesReady: slab.numbers(1), instrumentsReady: slab.numbers(1), directOuts: slab.copy(delayed.directOuts),
        directOutCount: delayed.directOuts.count, clicks: slab.copy(plan.clicks), clickCount: plan.clicks.count,
        mapping: LinkedMapping(
          mapping, frames: slab.copy(mapping?.frames ?? []), loopFrames: slab.copy(mapping?.loopFrames ?? [])))
    }
    self.slab = slab
    memory.initialize(to: tables)
  }

  /// Any thread: calls `body` with the index of each region that overlaps `span`.
  func forEachRegion(overlapping span: Range<TimelineFrame>, _ body: (Int) -> Void) {
    runner.plan.forEachRegion(overlapping: span, body)
  }

  deinit {
    memory.deallocate()
    slab.deallocate()
  }
}

extension RenderPlan {
  /// For each region that is read at a frame, the one that is read two after it, −1 for none.
  fileprivate func followers(at frame: TimelineFrame) -> [Int] {
    var followers = [Int](repeating: -1, count: regions.count)
    var before = (-1, -1)
    for case .sumRegions(_, let range, _, _) in steps {
      for index in range where regions[index].frames.contains(frame) {
        if before.0 >= 0 { followers[before.0] = index }
        before = (before.1, index)
      }
    }
    return followers
  }
}

extension Slab {
  fileprivate mutating func handles(_ count: Int) -> UnsafeMutablePointer<Atomic<UInt64>> {
    numbers(count, StreamHandle.none.bits)
  }

  fileprivate mutating func numbers(_ count: Int, _ number: UInt64 = 0) -> UnsafeMutablePointer<Atomic<UInt64>> {
    let numbers = reserve(Atomic<UInt64>.self, count)
    if isFilled { for index in 0..<count { (numbers + index).initialize(to: Atomic(number)) } }
    return numbers
  }
}

/// A piecewise linear mapping between the timelines before and after a tempo edit, so that playhead and loop keep their
/// musical positions. See `LinkedMapping`.
struct FrameMapping {
  var first: TimelineFrame
  var step: Int
  var frames: [TimelineFrame]
  /// Likewise from the loop's start on; empty without a loop.
  var loopFrames: [TimelineFrame]
  var loopBefore: Range<TimelineFrame>?
  var loopNow: Range<TimelineFrame>?
}

extension LinkedMapping {
  fileprivate init(
    _ mapping: FrameMapping?, frames: UnsafeMutablePointer<TimelineFrame>,
    loopFrames: UnsafeMutablePointer<TimelineFrame>
  ) {
    let before = mapping?.loopBefore ?? 0..<0
    let now = mapping?.loopNow ?? 0..<0
    self.init(
      first: mapping?.first ?? 0, step: mapping?.step ?? 1, frames: frames,
      count: mapping?.frames.count ?? 0, loopFrames: loopFrames, loopCount: mapping?.loopFrames.count ?? 0,
      loopBefore: (before.lowerBound, before.upperBound),
      loopNow: (now.lowerBound, now.upperBound))
  }
}

extension [LivePlan] {
  /// A record converted to the timeline of a later plan: playhead and loop at their musical positions.
  /// - Parameter number: of the plan. An earlier one than the record's leaves the record unchanged.
  func record(_ record: TransportRecord, inPlan number: UInt64) -> TransportRecord {
    var there = record
    for mapping in way(from: record.planNumber, to: number)?.mappings ?? [] {
      there.nextFrame = mapping.playhead(there.nextFrame, loopFirst: there.loopFirst, loopEnd: there.loopEnd)
      if mapping.loopBefore == (there.loopFirst, there.loopEnd) {
        (there.loopFirst, there.loopEnd) = (mapping.loopNow.first, mapping.loopNow.end)
      }
    }
    return there
  }

  /// Maps a frame from one plan's timeline to a later one's.
  /// - Returns: `nil` if a plan between the two is gone.
  func frame(_ frame: TimelineFrame, from earlier: UInt64, to later: UInt64) -> TimelineFrame? {
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
