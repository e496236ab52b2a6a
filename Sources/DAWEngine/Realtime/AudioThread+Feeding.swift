import CSampleCodec
import DAWRealtime
import DAWTime
import Synchronization

extension AudioThread {
  /// Supplies what the runner requested, or the first frames of it: from the stream, or silence if the stream is late.
  @_noLocks mutating func feed(
    _ runner: PlanRunner, _ request: StreamRequest, of plan: UnsafeMutablePointer<LivePlanMemory>
  ) {
    if case .region(let index, _, _) = request.stream { fetchAhead(of: index, runner, plan) }
    while true {
      let isThere =
        switch request.stream {
        case .region(let index, _, let first): feedRegion(runner, index, from: first, request.frameCount, of: plan)
        case .instrument(let index, let first): feedInstrument(runner, index, from: first, request.frameCount, of: plan)
        }
      if isThere { return }
      guard pausesLeft > 0 else {
        if case .region(let index, _, _) = request.stream { noteMiss(of: index, runner, plan) }
        return runner.supplySilence(frameCount: min(request.frameCount, Self.lateFrames))
      }
      shared.pointee.readEpoch.end()
      pause()
      shared.pointee.readEpoch.begin()
    }
  }

  /// Frames replaced by silence at a time when a stream is late.
  private static var lateFrames: Int { @_noLocks get { 64 } }

  /// Prefetches frames into the cache. Streams are filled on other processors, and waiting for their cache lines would
  /// take twice as long as mixing. While one region is mixed, the region mixed two steps later in the previous slice is
  /// fetched.
  @_noLocks private mutating func fetchAhead(
    of index: Int, _ runner: PlanRunner, _ plan: UnsafeMutablePointer<LivePlanMemory>
  ) {
    let followers = before == nil ? plan.pointee.followers : plan.pointee.passageFollowers
    if index != lastRead {
      if readBeforeLast >= 0 { followers[readBeforeLast] = index }
      readBeforeLast = lastRead
      lastRead = index
    }
    let next = followers[index]
    guard next >= 0 else { return }
    let region = runner.plan.regions[next]
    let owner = owner(of: region, plan)
    let handle = StreamHandle(bits: owner.pointee.regions[region.stream].load(ordering: .acquiring))
    guard let window = window(of: handle) else { return }
    let run = window.pointee.run(from: StreamFrame(runner.firstFileFrame(of: region)))
    // After the first cache lines the hardware prefetcher takes over.
    let byteCount = min(run.count, runner.frameCount) * window.pointee.bytesPerFrame
    daw_fetch_ahead(window.pointee.bytes + run.place * window.pointee.bytesPerFrame, min(byteCount, 2_048))
  }

  /// Tells the butler that a region's stream is late.
  @_noLocks private func noteMiss(of index: Int, _ runner: PlanRunner, _ plan: UnsafeMutablePointer<LivePlanMemory>) {
    let region = runner.plan.regions[index]
    let owner = owner(of: region, plan)
    let handle = StreamHandle(bits: owner.pointee.regions[region.stream].load(ordering: .acquiring))
    guard let window = window(of: handle) else { return }
    window.pointee.noteMiss()
  }

  @_noLocks private func feedRegion(
    _ runner: PlanRunner, _ index: Int, from first: FileFrame, _ count: Int,
    of plan: UnsafeMutablePointer<LivePlanMemory>
  ) -> Bool {
    let region = runner.plan.regions[index]
    let owner = owner(of: region, plan)
    let held = StreamHandle(bits: owner.pointee.heldRegions[region.stream].load(ordering: .acquiring))
    if supply(runner, from: StreamFrame(first), count, of: held, keepingFrom: nil) { return true }
    let handle = StreamHandle(bits: owner.pointee.regions[region.stream].load(ordering: .acquiring))
    // Two regions of a passage may read one stream, so only frames before the slice are released.
    let slice = StreamFrame(runner.firstFileFrame(of: region))
    return supply(runner, from: StreamFrame(first), count, of: handle, keepingFrom: slice)
  }

  @_noLocks private func supply(
    _ runner: PlanRunner, from first: StreamFrame, _ count: Int, of handle: StreamHandle, keepingFrom kept: StreamFrame?
  ) -> Bool {
    guard let window = window(of: handle) else { return false }
    if let kept { window.pointee.release(before: kept) }
    let run = window.pointee.run(from: first)
    guard run.count > 0 else { return false }
    runner.supply(
      window.pointee.bytes + run.place * window.pointee.bytesPerFrame, frameCount: min(run.count, count))
    return true
  }

  @_noLocks private func feedInstrument(
    _ runner: PlanRunner, _ index: Int, from first: TimelineFrame, _ count: Int,
    of plan: UnsafeMutablePointer<LivePlanMemory>
  ) -> Bool {
    let handle = StreamHandle(bits: instrument(index, of: plan).pointee.load(ordering: .acquiring))
    guard let window = window(of: handle) else { return false }
    window.pointee.release(before: StreamFrame(runner.position))
    let run = window.pointee.run(from: StreamFrame(runner.position + (first - runner.frame)))
    guard run.count > 0 else { return false }
    let left = window.pointee.bytes.assumingMemoryBound(to: Float.self) + run.place
    runner.supply(
      left: left, right: left + window.pointee.capacity, frameCount: min(run.count, count))
    return true
  }

  /// The window that a handle was made for; `nil` if there is none, or if it cannot be read, or was given to another
  /// stream since.
  @_noLocks private func window(of handle: StreamHandle) -> UnsafeMutablePointer<StreamWindow>? {
    guard handle.window >= 0 else { return nil }
    let window = shared.pointee.windows + handle.window
    return window.pointee.isReadable && window.pointee.generation == handle.generation ? window : nil
  }

  /// The plan whose streams a region reads: in a passage that may be the plan before.
  @_noLocks private func owner(
    of region: LinkedRegion, _ plan: UnsafeMutablePointer<LivePlanMemory>
  ) -> UnsafeMutablePointer<LivePlanMemory> {
    region.isOfPlanBefore ? before ?? plan : plan
  }

  /// The handle of an instrument's stream. A passage has the plan's instruments, then those of the plan before.
  @_noLocks private func instrument(
    _ index: Int, of plan: UnsafeMutablePointer<LivePlanMemory>
  ) -> UnsafeMutablePointer<Atomic<UInt64>> {
    guard let before, index >= plan.pointee.instrumentCount else { return plan.pointee.instruments + index }
    return before.pointee.instruments + (index - plan.pointee.instrumentCount)
  }
}
