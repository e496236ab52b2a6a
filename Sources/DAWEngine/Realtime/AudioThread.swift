import CSampleCodec
import DAWRealtime
import DAWTime
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
  /// The timeline frame of `before` minus that of `plan`, at one instant.
  var earlierOffset = 0
  /// The next plan, to which there is no passage: it is taken up when the fade-out has ended.
  var next: UnsafeMutablePointer<LivePlanMemory>?
  /// Frames for which effects still run before the first frame is heard.
  private(set) var leadIn = 0
  /// The locate number that `leadIn` is for.
  private var leadInLocate: UInt64 = 0
  /// The locate number for which the effects have run ahead while the host that is followed waited; 0 for none.
  private var finishedLeadIn: UInt64 = 0
  var record = TransportRecord()
  /// Pauses left for this block; 0 unless the host freewheels.
  var pausesLeft = 0
  var metronome: Metronome
  var monitoring = Monitoring()
  /// The last two regions read in this slice, −1 for none.
  var lastRead = -1
  var readBeforeLast = -1
  /// The vector instructions used to meter the output.
  let path = daw_best_path()

  /// - Parameter startWait: in frames.
  init(_ shared: UnsafeMutablePointer<SharedState>, startWait: Int, metronome: Metronome) {
    self.shared = shared
    self.startWait = startWait
    self.metronome = metronome
  }

  /// Fills a block.
  @_noLocks mutating func process(_ block: LiveBlock) {
    pausesLeft = block.isFreewheeling ? Pause.limitPerBlock : 0
    if !leadsInputs {
      while let command = shared.pointee.commands.read() {
        apply(command)
        record.commandCount += 1
      }
    }
    takePlan()
    if let host = block.followed {
      transport.follow(host, missed: block.hostFrame - record.hostFrame - record.frameCount)
    }
    record.hostFrame = block.hostFrame
    record.frameCount = block.frameCount
    record.isFreewheeling = block.isFreewheeling
    endLeadIn()
    if transport.state == .starting { wait(block) }
    record.frame = transport.frame

    beginCapture(block)
    let isSounding = transport.state.isSounding || leadIn > 0
    if isSounding { shared.pointee.readEpoch.begin() }
    var done = 0
    while done < block.frameCount {
      noteTimeline(block, at: done)
      let count = play(block, from: done, atMost: block.frameCount - done)
      if isSounding { check(block, from: done, count) }
      done += count
    }
    if isSounding { shared.pointee.readEpoch.end() }
    capture(block)
    publish()
  }

  /// Whether the streams are primed for a playhead at `frame`; a stopped playhead elsewhere is moved there.
  @_noLocks mutating func isReady(at frame: TimelineFrame) -> Bool {
    if !transport.state.isSounding, transport.frame != frame {
      transport.put(at: frame)
      publish()
    }
    guard !transport.state.isSounding, mayRoll, !isSettling, let plan else { return false }
    if plan.pointee.latency == 0 { return true }
    return plan.pointee.isMonitored ? true : finishedLeadIn == transport.locateNumber
  }

  /// After the host's last call: forgets both plans, so that they can be freed.
  mutating func releasePlans() {
    plan = nil
    before = nil
    next = nil
  }

  @_noLocks mutating func publish() {
    record.state = transport.state
    record.nextFrame = transport.frame
    record.rolledFrame = transport.rolled
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

  /// Ends the lead-in if the transport was stopped or located meanwhile: its frames have been taken from the streams.
  @_noLocks private mutating func endLeadIn() {
    if finishedLeadIn != 0, transport.state != .starting {
      if !transport.state.isSounding, transport.locateNumber == finishedLeadIn { transport.put(at: transport.frame) }
      finishedLeadIn = 0
    }
    guard leadIn > 0, transport.state != .starting || transport.locateNumber != leadInLocate else { return }
    leadIn = 0
    if !transport.state.isSounding, transport.locateNumber == leadInLocate { transport.put(at: transport.frame) }
  }

  /// While the host that is followed waits for its clients, the effects run ahead, unless inputs are heard meanwhile.
  @_noLocks private mutating func beginLeadIn() {
    guard let plan, plan.pointee.latency > 0, !plan.pointee.isMonitored, leadIn == 0,
      finishedLeadIn != transport.locateNumber, mayRoll
    else { return }
    leadIn = plan.pointee.latency
    leadInLocate = transport.locateNumber
  }

  /// Rolls, after as many frames as the effects are late.
  @_noLocks private mutating func beginToRoll() {
    leadIn = plan?.pointee.latency ?? 0
    leadInLocate = transport.locateNumber
    if leadIn == 0 { transport.handle(.ready) }
  }

  /// In state `starting`: rolls once the streams are primed, or after `startWait`.
  @_noLocks private mutating func wait(_ block: LiveBlock) {
    if isSettling { return }
    guard block.followed == nil || block.isFreewheeling, leadIn == 0 else { return beginLeadIn() }
    if pausesLeft > 0 {
      publish()
      while pausesLeft > 0, !mayRoll {
        pause()
        takePlan()
        publish()
      }
    }
    guard block.followed == nil else { return beginLeadIn() }
    if mayRoll {
      beginToRoll()
    } else if transport.waited >= startWait {
      record.startTimeoutCount += 1
      beginToRoll()
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
    if let next {
      guard !transport.state.isSounding, !monitoring.isHeld else { return }
      self.next = nil
      return adopt(next)
    }
    guard before == nil, leadIn == 0, monitoring.faded == 0,
      transport.state == .rolling || !transport.state.isSounding,
      let taken = shared.pointee.plans.take()
    else { return }
    let offered = taken.assumingMemoryBound(to: LivePlanMemory.self)
    if transport.state == .rolling, let plan, offered.pointee.needsRestart,
      offered.pointee.passageBase == plan.pointee.number
    {
      next = offered
      return transport.locate(to: transport.frame)
    }
    if monitoring.isHeld, let plan, offered.pointee.needsRestart || offered.pointee.passageBase != plan.pointee.number {
      next = offered
      return
    }
    adopt(offered)
  }

  @_noLocks mutating func adopt(_ next: UnsafeMutablePointer<LivePlanMemory>) {
    // What ran ahead belongs to the plan before.
    if finishedLeadIn != 0, !transport.state.isSounding { transport.put(at: transport.frame) }
    finishedLeadIn = 0
    let isHeld = monitoring.isHeld
    let frame = isHeld ? monitoring.frame : transport.frame
    remap(by: next.pointee.mapping)
    if isHeld, next.pointee.mapping.count > 0 { monitoring.frame = max(0, next.pointee.mapping.frame(frame)) }
    var hasPassage = false
    if isHeld || transport.state == .rolling, let plan, next.pointee.passage != nil,
      next.pointee.passageBase == plan.pointee.number
    {
      hasPassage = true
      before = plan
      earlierOffset = frame - (isHeld ? monitoring.frame : transport.frame)
      passed = 0
    } else {
      shared.pointee.plans.retire(UnsafeMutableRawPointer(plan))
    }
    if next.pointee.isMonitored, transport.state == .rolling, let plan, !plan.pointee.isMonitored {
      monitoring.begin(
        at: transport.frame, isPlaying: true, isFadedIn: hasPassage, locateNumber: transport.locateNumber)
    }
    plan = next
  }

  /// Applies a command. Where what has been processed ahead of the playhead would not be what follows, playback goes on
  /// by a locate to the same place.
  @_noLocks private mutating func apply(_ command: TransportCommand) {
    if case .record(let first, let end) = command { return monitoring.record(first: first, end: end) }
    let latency = plan?.pointee.latency ?? 0
    let (first, end) = (transport.loopFirst, transport.loopEnd)
    let wrapped = transport.wraps(within: latency)
    transport.apply(command)
    guard latency > 0, transport.state == .rolling, (first, end) != (transport.loopFirst, transport.loopEnd),
      wrapped || transport.wraps(within: latency)
    else { return }
    transport.locate(to: transport.frame)
  }

  /// Maps playhead and loop to the new timeline, at their musical positions.
  @_noLocks private mutating func remap(by mapping: LinkedMapping) {
    guard mapping.count > 0 else { return }
    let moved = mapping.playhead(transport.frame, loopFirst: transport.loopFirst, loopEnd: transport.loopEnd)
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
  /// - Returns: frames rendered, at least 1.
  @_noLocks private mutating func play(_ block: LiveBlock, from first: Int, atMost limit: Int) -> Int {
    let isRunning = transport.state.isSounding || leadIn > 0
    if isRunning, monitoring.isHeld { endHolding() }
    guard isRunning, let plan else {
      if !isRunning, let plan, monitoring.isHeld || plan.pointee.isMonitored {
        return hold(plan, block, from: first, atMost: limit)
      }
      silence(block, from: first, limit)
      return limit
    }
    if leadIn > 0 { return lead(in: plan, block, from: first, atMost: limit) }
    let isFading = transport.state != .rolling
    if isFading, transport.faded == 0 { monitoring.outlivesFade = mayGoOnHeld(plan) }
    let fadesSources = isFading ? monitoring.outlivesFade : false
    var count = min(limit, plan.pointee.maximumFrames)
    count = min(count, transport.framesUntilWrap())
    if isFading { count = min(count, fadeOutFrames - transport.faded) }
    if before != nil { count = min(count, Passage.frameCount - passed) }
    let runner = before == nil ? plan.pointee.runner : plan.pointee.passage ?? plan.pointee.runner
    let slice = slice(leadIn: 0)
    if plan.pointee.latency > 0 { count = min(count, runner._withUnsafeGuaranteedRef { $0.framesUntilSeam(slice) }) }
    let isMonitored = isMonitored(plan)
    if isMonitored { count = prepareInputs(runner, block, from: first, isPlaying: true, atMost: count) }
    if fadesSources { runner._withUnsafeGuaranteedRef { $0.sourcesFaded = transport.faded } }
    run(runner, of: plan, slice, count)
    if fadesSources { runner._withUnsafeGuaranteedRef { $0.sourcesFaded = -1 } }
    write(runner, of: plan, to: block, from: first, count)
    if isMonitored { monitoring.advance(by: count) }
    if before != nil {
      passed += count
      if passed == Passage.frameCount { endPassage() }
    }
    if let click = block.click {
      metronome.play(plan.pointee.clicks, plan.pointee.clickCount, frame: transport.frame, into: click + first, count)
    }
    let wrapCount = transport.wrapCount
    transport.advance(by: count)
    if wrapCount != transport.wrapCount { followWrap(plan.pointee.mapping) }
    if isFading {
      if fadesSources {
        fadeClick(block, from: first, count, faded: transport.faded)
      } else {
        fade(block, from: first, count, faded: transport.faded)
      }
      transport.faded += count
      if transport.faded == fadeOutFrames {
        if before != nil { endPassage() }
        let (rolled, number) = (transport.rolled, transport.locateNumber)
        transport.handle(.faded)
        if fadesSources { goOnHeld(plan, from: rolled, number) }
      }
    }
    return count
  }

  /// Within a passage, the plan before goes on at its own loop's start.
  /// - Parameter mapping: from the plan before.
  @_noLocks private mutating func followWrap(_ mapping: LinkedMapping) {
    guard before != nil, mapping.count > 0, mapping.loopNow == (transport.loopFirst, transport.loopEnd) else { return }
    earlierOffset = mapping.loopBefore.first - transport.loopFirst
  }

  /// Runs the plan up to the first frame that is heard.
  /// - Returns: how many frames, at least 1.
  @_noLocks private mutating func lead(
    in plan: UnsafeMutablePointer<LivePlanMemory>, _ block: LiveBlock, from first: Int, atMost limit: Int
  ) -> Int {
    let slice = slice(leadIn: leadIn)
    let runner = plan.pointee.runner
    var count = min(min(limit, plan.pointee.maximumFrames), leadIn)
    count = min(count, runner._withUnsafeGuaranteedRef { $0.framesUntilSeam(slice) })
    if plan.pointee.isMonitored {
      count = prepareInputs(runner, block, from: first, isPlaying: false, atMost: count)
      run(runner, of: plan, slice, count)
      write(runner, of: plan, to: block, from: first, count)
      if let click = block.click { clear(click + first, count) }
      monitoring.advance(by: count)
    } else {
      run(runner, of: plan, slice, count)
      silence(block, from: first, count)
    }
    leadIn -= count
    if leadIn == 0 {
      if block.followed == nil { transport.handle(.ready) } else { finishedLeadIn = transport.locateNumber }
    }
    return count
  }

  /// The next slice.
  @_noLocks private func slice(leadIn: Int) -> PlanRunner.Slice {
    var slice = PlanRunner.Slice(
      frame: transport.frame - leadIn, position: transport.rolled - leadIn)
    slice.epoch = transport.locateNumber
    if transport.loopFirst < transport.loopEnd, transport.frame < transport.loopEnd {
      slice.loopFirst = transport.loopFirst
      slice.loopEnd = transport.loopEnd
    }
    return slice
  }

  @_noLocks mutating func endPassage() {
    shared.pointee.plans.retire(UnsafeMutableRawPointer(before))
    before = nil
  }

  /// Runs a plan, or the passage to it, over a slice, from its streams.
  @_noLocks mutating func run(
    _ runner: Unmanaged<PlanRunner>, of plan: UnsafeMutablePointer<LivePlanMemory>, _ slice: PlanRunner.Slice,
    _ count: Int
  ) {
    runner._withUnsafeGuaranteedRef { runner in
      let lateBefore = runner.lateFrameCount
      let invalidBefore = runner.invalidSampleCount
      lastRead = -1
      readBeforeLast = -1
      runner.begin(slice, frameCount: count, earlierOffset: earlierOffset, passed: passed)
      while let request = runner.next() { feed(runner, request, of: plan) }
      record.lateFrameCount += runner.lateFrameCount - lateBefore
      record.invalidSampleCount += runner.invalidSampleCount - invalidBefore
    }
  }
}
