import CSampleCodec
import DAWRealtime
import Synchronization

/// The audio thread's state and its work in a block. Used by that thread alone.
struct AudioThread {
  let shared: UnsafeMutablePointer<SharedState>
  /// Frames that a start waits for its streams, at most.
  let startWait: Int
  var transport = Transport()
  /// The plan that is heard.
  var plan: UnsafeMutablePointer<LivePlanMemory>?
  /// The plan before, while the passage from it to `plan` is under way.
  var before: UnsafeMutablePointer<LivePlanMemory>?
  /// Frames of the passage done.
  var passed = 0
  /// The timeline frame of the plan before minus `plan`'s, for the same instant.
  var earlierOffset: Int64 = 0
  var record = TransportRecord()
  /// Pauses left for this block; 0 unless the host freewheels.
  var pausesLeft = 0
  var metronome: Metronome
  /// The last two regions read in this slice, −1 for none.
  var lastRead = -1
  var readBeforeLast = -1
  /// The vector instructions used to meter the output.
  let path = daw_best_path()

  /// Frames of a fade-out.
  static var rampFrames: Int { @_noLocks get { 256 } }

  /// - Parameter startWait: in frames.
  init(_ shared: UnsafeMutablePointer<SharedState>, startWait: Int, metronome: Metronome) {
    self.shared = shared
    self.startWait = startWait
    self.metronome = metronome
  }

  /// Fills a block.
  @_noLocks mutating func process(_ block: LiveBlock) {
    pausesLeft = block.isFreewheeling ? Pause.limitPerBlock : 0
    while let command = shared.pointee.commands.read() { transport.apply(command) }
    takePlan()
    if let host = block.followed {
      transport.follow(host, missed: Int64(bitPattern: block.hostFrame &- record.hostFrame) - Int64(record.frameCount))
    }
    record.hostFrame = block.hostFrame
    record.frameCount = block.frameCount
    record.isFreewheeling = block.isFreewheeling
    if transport.state == .starting { wait(block) }
    record.frame = transport.frame

    let isSounding = transport.state.isSounding
    if isSounding { shared.pointee.readEpoch.begin() }
    var done = 0
    while done < block.frameCount {
      let count = play(block, from: done, atMost: block.frameCount - done)
      if isSounding { check(block, from: done, count) }
      done += count
    }
    if isSounding { shared.pointee.readEpoch.end() }
    publish()
  }

  /// Whether the streams are primed for a playhead at `frame`; a stopped playhead elsewhere is moved there.
  @_noLocks mutating func isReady(at frame: Int64) -> Bool {
    if !transport.state.isSounding, transport.frame != frame {
      transport.put(at: frame)
      publish()
    }
    return !transport.state.isSounding && mayRoll
  }

  /// After the host's last call: forgets both plans, so that they can be freed.
  mutating func releasePlans() {
    plan = nil
    before = nil
  }

  @_noLocks mutating func publish() {
    record.state = transport.state
    record.nextFrame = transport.frame
    record.rolledFrameCount = transport.rolled
    record.loopFirst = transport.loopFirst
    record.loopEnd = transport.loopEnd
    record.wrapCount = transport.wrapCount
    record.locateNumber = transport.locateNumber
    record.planNumber = plan?.pointee.number ?? 0
    shared.pointee.record.publish(record)
  }

  // MARK: Starting

  /// Whether the newest plan is in use and its streams are primed for the playhead's position.
  private var mayRoll: Bool {
    @_noLocks get {
      // Checked in this order, so that a plan published before the start was allowed is seen.
      let allowed = shared.pointee.allowedStarts.load(ordering: .acquiring)
      guard allowed >= shared.pointee.heldStarts.load(ordering: .acquiring), !shared.pointee.plans.isOffering else {
        return false
      }
      guard let plan, plan.pointee.filesReady.pointee.load(ordering: .acquiring) == transport.locateNumber else {
        return false
      }
      return plan.pointee.instrumentCount == 0
        || plan.pointee.instrumentsReady.pointee.load(ordering: .acquiring) == transport.locateNumber
    }
  }

  /// In state `starting`: rolls once the streams are primed, or after `startWait`.
  @_noLocks private mutating func wait(_ block: LiveBlock) {
    guard block.followed == nil || block.isFreewheeling else { return }
    if pausesLeft > 0 {
      publish()
      while pausesLeft > 0, !mayRoll {
        pause()
        takePlan()
        publish()
      }
    }
    guard block.followed == nil else { return }
    if mayRoll {
      transport.handle(.ready)
    } else if transport.waited >= startWait {
      record.startTimeoutCount += 1
      transport.handle(.ready)
    } else {
      transport.waited += block.frameCount
    }
  }

  @_noLocks mutating func pause() {
    pausesLeft -= 1
    RealtimeSection.exit()
    Pause.sleep()
    RealtimeSection.enter()
  }

  // MARK: Plans

  @_noLocks private mutating func takePlan() {
    guard before == nil, transport.state == .rolling || !transport.state.isSounding,
      let taken = shared.pointee.plans.take()
    else { return }
    let next = taken.assumingMemoryBound(to: LivePlanMemory.self)
    let frame = transport.frame
    remap(by: next.pointee.mapping)
    if transport.state == .rolling, let plan, next.pointee.passage != nil,
      next.pointee.passageBase == plan.pointee.number
    {
      before = plan
      earlierOffset = frame - transport.frame
      passed = 0
    } else {
      shared.pointee.plans.retire(UnsafeMutableRawPointer(plan))
    }
    plan = next
  }

  /// Maps playhead and loop to the new timeline, at their musical positions.
  @_noLocks private mutating func remap(by mapping: LinkedMapping) {
    guard mapping.count > 0 else { return }
    let moved = max(0, mapping.frame(transport.frame))
    if transport.state == .rolling {
      transport.frame = moved
    } else if moved != transport.frame {
      transport.put(at: moved)
    }
    if mapping.loopBefore == (transport.loopFirst, transport.loopEnd) {
      transport.loopFirst = mapping.loopNow.first
      transport.loopEnd = mapping.loopNow.end
    }
  }

  // MARK: Playing

  /// Renders up to the next event: the end of the block, of a slice, of a fade, or of the loop.
  /// - Returns: how many, at least 1.
  @_noLocks private mutating func play(_ block: LiveBlock, from first: Int, atMost limit: Int) -> Int {
    guard transport.state.isSounding, let plan else {
      silence(block, from: first, limit)
      return limit
    }
    let isFading = transport.state != .rolling
    var count = min(limit, plan.pointee.maximumFrames)
    count = min(count, transport.framesUntilWrap())
    if isFading { count = min(count, Self.rampFrames - transport.faded) }
    if before != nil { count = min(count, Passage.frameCount - passed) }
    let runner = before == nil ? plan.pointee.runner : plan.pointee.passage ?? plan.pointee.runner
    run(runner, of: plan, frame: transport.frame, count)
    write(runner, of: plan, to: block, from: first, count)
    if before != nil {
      passed += count
      if passed == Passage.frameCount { endPassage() }
    }
    if let click = block.click {
      metronome.play(plan.pointee.clicks, plan.pointee.clickCount, frame: transport.frame, into: click + first, count)
    }
    transport.advance(by: count)
    if isFading {
      fade(block, from: first, count)
      transport.faded += count
      if transport.faded == Self.rampFrames {
        if before != nil { endPassage() }
        transport.handle(.faded)
      }
    }
    return count
  }

  @_noLocks private mutating func endPassage() {
    shared.pointee.plans.retire(UnsafeMutableRawPointer(before))
    before = nil
  }

  /// Runs a plan, or the passage to it, over a slice, from its streams.
  @_noLocks private mutating func run(
    _ runner: Unmanaged<PlanRunner>, of plan: UnsafeMutablePointer<LivePlanMemory>, frame: Int64, _ count: Int
  ) {
    runner._withUnsafeGuaranteedRef { runner in
      let lateBefore = runner.lateFrameCount
      let invalidBefore = runner.invalidSampleCount
      lastRead = -1
      readBeforeLast = -1
      runner.begin(frame: frame, frameCount: count, earlierOffset: earlierOffset, passed: passed)
      while let request = runner.next() { feed(runner, request, of: plan) }
      record.lateFrameCount += runner.lateFrameCount - lateBefore
      record.invalidSampleCount += runner.invalidSampleCount - invalidBefore
    }
  }
}
