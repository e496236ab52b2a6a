import DAWTime

// Inputs that are heard in strips.

extension PlanRunner {
  /// Puts what comes in on a track's ports in place of what a buffer has, as far as it is heard: with the share s it is
  /// buffer × (1 − s) + input × s.
  @_noLocks func hearInput(_ index: Int, in buffer: Int, isStereo: Bool) {
    let monitor = plan.monitors[index]
    let isResting = monitor.from == monitor.to ? (monitor.to == .auto ? autoLine.isResting : true) : false
    if isResting, share(of: monitor, at: 0) == 0 { return }
    guard let left = monitor.left else {
      if plan.isSilent[buffer] { return }
      fillShares(monitor)
      scale(side(buffer, 0), by: plan.unpacked, frameCount)
      if isStereo { scale(side(buffer, 1), by: plan.unpacked, frameCount) }
      return
    }
    if isResting, inputLine.isResting, share(of: monitor, at: 0) * inputLine.share(at: 0) == 1 {
      plan.isSilent[buffer] = false
      write(left, to: side(buffer, 0), frameCount)
      invalidSampleCount += silenced(side(buffer, 0))
      guard isStereo else { return }
      write(monitor.right ?? left, to: side(buffer, 1), frameCount)
      invalidSampleCount += silenced(side(buffer, 1))
      return
    }
    open(buffer)
    fillShares(monitor)
    blend(left, into: side(buffer, 0))
    if isStereo { blend(monitor.right ?? left, into: side(buffer, 1)) }
  }

  /// - Parameter input: what comes in, with the shares of `plan.gains`; what is there keeps those of `plan.unpacked`.
  @_noLocks private func blend(_ input: UnsafePointer<Float>, into target: Samples) {
    let (copied, gains, kept) = (plan.picked, plan.gains, plan.unpacked)
    copy(input, to: copied, frameCount)
    invalidSampleCount += silenced(copied)
    for i in 0..<frameCount { target[i] = target[i] * kept[i] + copied[i] * gains[i] }
  }

  /// Replaces samples that are no numbers by 0, so that no effect keeps them.
  /// - Returns: how many there were.
  @_noLocks private func silenced(_ samples: Samples) -> Int {
    let greatest = greatestMagnitude(of: samples, frameCount, plan.path)
    return greatest < Float.infinity.bitPattern ? 0 : silenceInvalid(samples, frameCount)
  }

  /// The input's gains into `plan.gains`, those of what it replaces into `plan.unpacked`.
  @_noLocks private func fillShares(_ monitor: LinkedMonitor) {
    let (gains, kept) = (plan.gains, plan.unpacked)
    for i in 0..<frameCount {
      let share = share(of: monitor, at: i)
      kept[i] = 1 - share
      gains[i] = share * inputLine.share(at: i)
    }
  }

  @_noLocks private func share(of monitor: LinkedMonitor, at index: Int) -> Float {
    let share = share(monitor.to, at: index)
    if monitor.from == monitor.to { return share }
    let before = self.share(monitor.from, at: index)
    return before + (share - before) * (Float(passed + index) * (1 / Float(Passage.frameCount)))
  }

  @_noLocks private func share(_ monitoring: InputMonitoring, at index: Int) -> Float {
    switch monitoring {
    case .off: 0
    case .input: 1
    case .auto: autoLine.share(at: index)
    }
  }

  /// Sets where each track's input of this slice is.
  /// - Parameters:
  ///   - inputs: in order of `trackID`.
  ///   - offset: of the slice in the block.
  @_noLocks func setInputs(
    _ inputs: UnsafePointer<TrackInput>?, _ count: Int, from offset: Int, auto: FadeLine, input: FadeLine
  ) {
    autoLine = auto
    inputLine = input
    for index in 0..<plan.monitorCount {
      plan.monitors[index].left = nil
      plan.monitors[index].right = nil
      guard let inputs else { continue }
      let trackID = plan.monitors[index].trackID
      var (low, high) = (0, count)
      while low < high {
        let middle = (low + high) / 2
        if inputs[middle].trackID < trackID { low = middle + 1 } else { high = middle }
      }
      guard low < count, inputs[low].trackID == trackID, let left = inputs[low].left else { continue }
      plan.monitors[index].left = left + offset
      if let right = inputs[low].right { plan.monitors[index].right = right + offset }
    }
  }

  /// Lets effects and delays go on from one stream of positions to another.
  /// - Parameter distance: from a position of the first to the same one of the other.
  @_noLocks func moveProcessors(from epoch: UInt64, to other: UInt64, by distance: Int) {
    for step in 0..<plan.stepCount {
      switch plan.steps[step] {
      case .insert(let index, _, _, _):
        plan.inserts[index].place.pointee.move(from: epoch, to: other, by: distance)
        plan.inserts[index].dry.pointee.place.move(from: epoch, to: other, by: distance)
      case .delay(let memory, _, _, _): memory.pointee.place.move(from: epoch, to: other, by: distance)
      default: break
      }
    }
  }
}
