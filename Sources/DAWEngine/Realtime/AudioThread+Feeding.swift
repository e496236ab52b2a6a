import CSampleCodec
import DAWRealtime
import Synchronization

extension AudioThread {
  /// Gives a runner the beginning of what it asked for: from its stream, or silence.
  @_noLocks mutating func feed(
    _ runner: PlanRunner, _ request: StreamRequest, of plan: UnsafeMutablePointer<LivePlanMemory>
  ) {
    if case .region(let index, _) = request.stream { fetchAhead(of: index, runner, plan) }
    while true {
      let isThere =
        switch request.stream {
        case .region(let index, _): feedRegion(runner, request, index, of: plan)
        case .instrument(let index): feedInstrument(runner, request, index, of: plan)
        }
      if isThere { return }
      guard pausesLeft > 0 else { return runner.supplySilence(frameCount: min(request.frameCount, Self.lateFrames)) }
      crossing.pointee.turns.end()
      pause()
      crossing.pointee.turns.begin()
    }
  }

  /// Frames that are given up at a time where a stream is late.
  private static var lateFrames: Int { @_noLocks get { 64 } }

  /// Frames lie where another processor has put them, each stream's elsewhere, and to wait for them takes twice as long as to
  /// mix them. So while a region is mixed, what will be mixed after the next one is asked for: most likely what was in
  /// the slice before.
  @_noLocks private mutating func fetchAhead(
    of index: Int, _ runner: PlanRunner, _ plan: UnsafeMutablePointer<LivePlanMemory>
  ) {
    if index != lastRead {
      if readBeforeLast >= 0 { plan.pointee.followers[readBeforeLast] = index }
      readBeforeLast = lastRead
      lastRead = index
    }
    let next = plan.pointee.followers[index]
    guard next >= 0 else { return }
    let ticket = StreamTicket(bits: plan.pointee.regions[next].load(ordering: .acquiring))
    guard ticket.window >= 0 else { return }
    let window = crossing.pointee.windows + ticket.window
    guard window.pointee.isOpen, window.pointee.generation == ticket.generation else { return }
    let run = window.pointee.run(from: runner.frame - runner.plan.regions[next].anchor)
    // Behind the first few lines the processor sees by itself where it goes on.
    let byteCount = min(run.count, runner.frameCount) * window.pointee.bytesPerFrame
    daw_fetch_ahead(window.pointee.bytes + run.place * window.pointee.bytesPerFrame, min(byteCount, 2_048))
  }

  @_noLocks private func feedRegion(
    _ runner: PlanRunner, _ request: StreamRequest, _ index: Int, of plan: UnsafeMutablePointer<LivePlanMemory>
  ) -> Bool {
    let held = StreamTicket(bits: plan.pointee.heldRegions[index].load(ordering: .acquiring))
    if supply(runner, request, from: held, keepingFrom: nil) { return true }
    let ticket = StreamTicket(bits: plan.pointee.regions[index].load(ordering: .acquiring))
    // The plan that is left, or taken up, reads the same slice: what lies before the slice is what nobody needs.
    let slice = runner.frame - runner.plan.regions[index].anchor
    return supply(runner, request, from: ticket, keepingFrom: slice)
  }

  @_noLocks private func supply(
    _ runner: PlanRunner, _ request: StreamRequest, from ticket: StreamTicket, keepingFrom kept: Int64?
  ) -> Bool {
    guard ticket.window >= 0 else { return false }
    let window = crossing.pointee.windows + ticket.window
    guard window.pointee.isOpen, window.pointee.generation == ticket.generation else { return false }
    if let kept { window.pointee.release(before: kept) }
    let run = window.pointee.run(from: request.firstFrame)
    guard run.count > 0 else { return false }
    runner.supply(
      window.pointee.bytes + run.place * window.pointee.bytesPerFrame, frameCount: min(run.count, request.frameCount))
    return true
  }

  /// An instrument's window counts the frames played since the last locate.
  @_noLocks private func feedInstrument(
    _ runner: PlanRunner, _ request: StreamRequest, _ index: Int, of plan: UnsafeMutablePointer<LivePlanMemory>
  ) -> Bool {
    let ticket = StreamTicket(bits: plan.pointee.instruments[index].load(ordering: .acquiring))
    guard ticket.window >= 0 else { return false }
    let window = crossing.pointee.windows + ticket.window
    guard window.pointee.isOpen, window.pointee.generation == ticket.generation else { return false }
    window.pointee.release(before: transport.rolled)
    let run = window.pointee.run(from: transport.rolled + request.firstFrame - runner.frame)
    guard run.count > 0 else { return false }
    let left = window.pointee.bytes.assumingMemoryBound(to: Float.self) + run.place
    runner.supply(
      left: left, right: left + window.pointee.capacity, frameCount: min(run.count, request.frameCount))
    return true
  }
}
