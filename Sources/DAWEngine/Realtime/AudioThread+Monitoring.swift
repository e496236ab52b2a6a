import DAWTime

// Inputs that are heard, also while the transport is stopped.
extension AudioThread {
  /// Whether the plan can be held where and as it is.
  @_noLocks private func mayHold(_ plan: UnsafeMutablePointer<LivePlanMemory>) -> Bool {
    guard plan.pointee.isMonitored, next == nil else { return false }
    return plan.pointee.movesGains ? monitoring.frame == transport.frame : true
  }

  /// Whether something of a held plan has to end before the transport may roll.
  var isSettling: Bool {
    @_noLocks get {
      guard monitoring.isHeld, let plan else { return false }
      if before != nil { return true }
      return monitoring.faded > 0 ? true : !mayHold(plan)
    }
  }

  /// Whether the effects run ahead of a start while inputs are heard: commands wait until it rolls, since a stop fades
  /// out what rolls.
  var leadsInputs: Bool {
    @_noLocks get {
      guard leadIn > 0, let plan else { return false }
      return plan.pointee.isMonitored
    }
  }

  /// Whether the plan, or the one that it takes over from, hears inputs.
  @_noLocks func isMonitored(_ plan: UnsafeMutablePointer<LivePlanMemory>) -> Bool {
    if plan.pointee.isMonitored { return true }
    guard let before else { return false }
    return before.pointee.isMonitored
  }

  /// Gives a runner its inputs of the next slice.
  /// - Returns: the most frames of it, at least 1.
  @_noLocks mutating func prepareInputs(
    _ runner: Unmanaged<PlanRunner>, _ block: LiveBlock, from first: Int, isPlaying: Bool, atMost limit: Int
  ) -> Int {
    if monitoring.locateNumber != transport.locateNumber, !monitoring.isHeld {
      monitoring.begin(
        at: transport.frame, isPlaying: isPlaying, isFadedIn: false, locateNumber: transport.locateNumber)
    }
    let count = min(limit, monitoring.aim(at: transport.frame, isPlaying: isPlaying))
    let (auto, input) = (monitoring.auto, monitoring.input)
    runner._withUnsafeGuaranteedRef {
      $0.setInputs(block.trackInputs, block.trackInputCount, from: first, auto: auto, input: input)
    }
    return count
  }

  /// Runs the plan while the playhead rests. What sounds fades out before the lanes jump, and before another plan to
  /// which there is no passage.
  /// - Returns: how many frames, at least 1.
  @_noLocks mutating func hold(
    _ plan: UnsafeMutablePointer<LivePlanMemory>, _ block: LiveBlock, from first: Int, atMost limit: Int
  ) -> Int {
    if !monitoring.isHeld {
      guard next == nil else {
        silence(block, from: first, limit)
        return limit
      }
      monitoring.beginHolding(at: transport.frame, locateNumber: transport.locateNumber)
    }
    let isEnding = before == nil ? (monitoring.faded > 0 ? true : !mayHold(plan)) : !plan.pointee.isMonitored
    // Where nothing moves the gains, one frame is as good as another.
    if before == nil, !isEnding { monitoring.frame = transport.frame }
    var count = min(limit, plan.pointee.maximumFrames)
    if before != nil { count = min(count, Passage.frameCount - passed) }
    if isEnding { count = min(count, fadeOutFrames - monitoring.faded) }
    let runner = before == nil ? plan.pointee.runner : plan.pointee.passage ?? plan.pointee.runner
    count = prepareInputs(runner, block, from: first, isPlaying: false, atMost: count)
    var slice = PlanRunner.Slice(frame: monitoring.frame, position: monitoring.position)
    slice.epoch = monitoring.epoch
    runner._withUnsafeGuaranteedRef { $0.isHeld = true }
    run(runner, of: plan, slice, count)
    runner._withUnsafeGuaranteedRef { $0.isHeld = false }
    write(runner, of: plan, to: block, from: first, count)
    if let click = block.click { clear(click + first, count) }
    monitoring.advance(by: count)
    monitoring.position += count
    if isEnding { fade(block, from: first, count, faded: monitoring.faded) }
    check(block, from: first, count)
    if before != nil {
      passed += count
      if passed == Passage.frameCount { endPassage() }
    }
    if isEnding {
      monitoring.faded += count
      if monitoring.faded == fadeOutFrames {
        monitoring.endHolding()
      }
    }
    return count
  }

  /// Whether what rolls can be held at once when it has faded out, so that inputs are heard without a break.
  @_noLocks func mayGoOnHeld(_ plan: UnsafeMutablePointer<LivePlanMemory>) -> Bool {
    guard plan.pointee.isMonitored, before == nil, next == nil else { return false }
    return !plan.pointee.movesGains
  }

  /// Regions and instruments have faded out: the plan is held where its effects are.
  /// - Parameters:
  ///   - rolled: where playback has come to.
  ///   - number: its locate.
  @_noLocks mutating func goOnHeld(
    _ plan: UnsafeMutablePointer<LivePlanMemory>, from rolled: RolledFrame, _ number: UInt64
  ) {
    monitoring.goOnHolding(at: transport.frame, locateNumber: transport.locateNumber)
    let (epoch, distance) = (monitoring.epoch, monitoring.position - rolled)
    plan.pointee.runner._withUnsafeGuaranteedRef { $0.moveProcessors(from: number, to: epoch, by: distance) }
  }

  /// The transport rolls, or the effects run ahead of it: what was held goes on without a break.
  @_noLocks mutating func endHolding() {
    let distance = (transport.rolled - leadIn) - monitoring.position
    let (epoch, number) = (monitoring.epoch, transport.locateNumber)
    monitoring.isHeld = false
    monitoring.faded = 0
    monitoring.locateNumber = number
    if let plan {
      plan.pointee.runner._withUnsafeGuaranteedRef { $0.moveProcessors(from: epoch, to: number, by: distance) }
      if before != nil, let passage = plan.pointee.passage {
        passage._withUnsafeGuaranteedRef { $0.moveProcessors(from: epoch, to: number, by: distance) }
      }
    }
    // A host that is followed does not wait.
    guard let next else { return }
    self.next = nil
    adopt(next)
  }
}
