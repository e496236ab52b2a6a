import DAWRealtime
import Synchronization

/// The audio thread's own state, and what it does in a block. Nobody else touches it.
struct AudioThread {
  let crossing: UnsafeMutablePointer<Crossing>
  /// Frames that a start waits for its streams, at most.
  let startWait: Int
  var transport = Transport()
  /// The plan that is heard.
  var plan: UnsafeMutablePointer<LivePlanMemory>?
  /// The plan that is being left; heard less and less.
  var leaving: UnsafeMutablePointer<LivePlanMemory>?
  /// Frames that the change of plans has come.
  var changed = 0
  /// What the leaving plan's timeline is ahead of this one's.
  var leavingOffset: Int64 = 0
  var record = TransportRecord()
  /// Pauses that this block may still make, while the host freewheels.
  var pausesLeft = 0
  var metronome: Metronome
  /// The regions that the slice has read last, −1 where there is none yet.
  var lastRead = -1
  var readBeforeLast = -1

  /// Frames over which plans change and what stops fades.
  static var rampFrames: Int { @_noLocks get { 256 } }

  /// - Parameter startWait: in frames.
  init(_ crossing: UnsafeMutablePointer<Crossing>, startWait: Int, metronome: Metronome) {
    self.crossing = crossing
    self.startWait = startWait
    self.metronome = metronome
  }

  /// Fills a block.
  @_noLocks mutating func process(_ block: LiveBlock) {
    pausesLeft = block.isFreewheeling ? Pause.mostInABlock : 0
    while let command = crossing.pointee.commands.read() { transport.apply(command) }
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
    if isSounding { crossing.pointee.turns.begin() }
    var done = 0
    while done < block.frameCount {
      let count = play(block, from: done, atMost: block.frameCount - done)
      if isSounding { check(block, from: done, count) }
      done += count
    }
    if isSounding { crossing.pointee.turns.end() }
    publish()
  }

  /// Whether the streams are there for a playhead at `frame`, which is put there where it is not.
  @_noLocks mutating func isReady(at frame: Int64) -> Bool {
    if !transport.state.isSounding, transport.frame != frame {
      transport.put(at: frame)
      publish()
    }
    return !transport.state.isSounding && mayRoll
  }

  /// The one that is heard, and the one that it replaces: neither is used after this. When the host has stopped calling.
  mutating func letGo() {
    plan = nil
    leaving = nil
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
    crossing.pointee.record.publish(record)
  }

  // MARK: Starting

  /// Whether the newest plan has been taken up, and its streams are there for where the playhead is.
  private var mayRoll: Bool {
    @_noLocks get {
      // In this order: a plan that was published before the start was allowed is seen.
      let allowed = crossing.pointee.allowedStarts.load(ordering: .acquiring)
      guard allowed >= crossing.pointee.heldStarts.load(ordering: .acquiring), !crossing.pointee.plans.isOffering else {
        return false
      }
      guard let plan, plan.pointee.filesReady.pointee.load(ordering: .acquiring) == transport.locateNumber else {
        return false
      }
      return plan.pointee.instrumentCount == 0
        || plan.pointee.instrumentsReady.pointee.load(ordering: .acquiring) == transport.locateNumber
    }
  }

  /// Rolls when the streams are there, or when the start has waited long enough.
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
      record.hastyStartCount += 1
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
    guard leaving == nil, transport.state == .rolling || !transport.state.isSounding,
      let taken = crossing.pointee.plans.take()
    else { return }
    let next = taken.assumingMemoryBound(to: LivePlanMemory.self)
    let before = transport.frame
    remap(by: next.pointee.mapping)
    if transport.state == .rolling, let plan {
      leaving = plan
      leavingOffset = before - transport.frame
      changed = 0
    } else {
      crossing.pointee.plans.retire(UnsafeMutableRawPointer(plan))
    }
    plan = next
  }

  /// Keeps playhead and loop at their musical places.
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

  /// Fills some frames of the block.
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
    if leaving != nil { count = min(count, Self.rampFrames - changed) }
    if let leaving {
      run(leaving, frame: transport.frame + leavingOffset, count)
      give(leaving, to: block, from: first, count, ramp: -1)
      run(plan, frame: transport.frame, count)
      give(plan, to: block, from: first, count, ramp: changed)
      changed += count
      if changed == Self.rampFrames { leave() }
    } else {
      run(plan, frame: transport.frame, count)
      give(plan, to: block, from: first, count, ramp: -1)
    }
    if let click = block.click {
      metronome.play(plan.pointee.clicks, plan.pointee.clickCount, frame: transport.frame, into: click + first, count)
    }
    transport.advance(by: count)
    if isFading {
      fade(block, from: first, count)
      transport.faded += count
      if transport.faded == Self.rampFrames {
        if leaving != nil { leave() }
        transport.handle(.faded)
      }
    }
    return count
  }

  @_noLocks private mutating func leave() {
    crossing.pointee.plans.retire(UnsafeMutableRawPointer(leaving))
    leaving = nil
  }

  /// Runs a plan over a slice, with what its streams have.
  @_noLocks private mutating func run(_ plan: UnsafeMutablePointer<LivePlanMemory>, frame: Int64, _ count: Int) {
    plan.pointee.runner._withUnsafeGuaranteedRef { runner in
      let lateBefore = runner.lateFrameCount
      let invalidBefore = runner.invalidSampleCount
      lastRead = -1
      readBeforeLast = -1
      runner.begin(frame: frame, frameCount: count)
      while let request = runner.next() { feed(runner, request, of: plan) }
      record.lateFrameCount += runner.lateFrameCount - lateBefore
      record.invalidSampleCount += runner.invalidSampleCount - invalidBefore
    }
  }
}
