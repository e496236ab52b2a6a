import DAWRealtime

// What a plan gave, on its way to the block's buffers.
extension AudioThread {
  @_noLocks func silence(_ block: LiveBlock, from first: Int, _ count: Int) {
    clear(block.left + first, count)
    clear(block.right + first, count)
    if let directOuts = block.directOuts {
      for index in 0..<block.directOutCount {
        clear(directOuts[index].left + first, count)
        clear(directOuts[index].right + first, count)
      }
    }
    if let click = block.click { clear(click + first, count) }
  }

  /// - Parameter ramp: how many frames of the ramp have gone by, from what is in the block to what the plan gave; −1
  ///   where the plan replaces what is there.
  @_noLocks func give(
    _ plan: UnsafeMutablePointer<LivePlanMemory>, to block: LiveBlock, from first: Int, _ count: Int, ramp: Int
  ) {
    plan.pointee.runner._withUnsafeGuaranteedRef { runner in
      move(runner.left, to: block.left + first, count, ramp)
      move(runner.right, to: block.right + first, count, ramp)
      guard let directOuts = block.directOuts else { return }
      for index in 0..<block.directOutCount {
        let buffer = directBuffer(of: directOuts[index].slot, in: plan)
        let left = directOuts[index].left + first
        let right = directOuts[index].right + first
        if buffer >= 0, !runner.plan.isSilent[buffer] {
          move(runner.side(buffer, 0), to: left, count, ramp)
          move(runner.side(buffer, 1), to: right, count, ramp)
        } else {
          moveSilence(to: left, count, ramp)
          moveSilence(to: right, count, ramp)
        }
      }
    }
  }

  /// The buffer that holds a track's own output, −1 where the plan has none. In order of slot, so it is found by halving.
  @_noLocks private func directBuffer(of slot: Int64, in plan: UnsafeMutablePointer<LivePlanMemory>) -> Int {
    var low = 0
    var high = plan.pointee.directOutCount
    while low < high {
      let middle = (low + high) / 2
      if plan.pointee.directOuts[middle].slot < slot { low = middle + 1 } else { high = middle }
    }
    guard low < plan.pointee.directOutCount, plan.pointee.directOuts[low].slot == slot else { return -1 }
    return plan.pointee.directOuts[low].buffer
  }

  /// Where both are equal, the ramp changes no bit.
  @_noLocks private func move(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ count: Int, _ ramp: Int
  ) {
    guard ramp >= 0 else { return copy(source, to: target, count) }
    for i in 0..<count {
      let share = Float(ramp + i) * (1 / Float(Self.rampFrames))
      target[i] += (source[i] - target[i]) * share
    }
  }

  /// Likewise from a plan that has nothing there.
  @_noLocks private func moveSilence(to target: UnsafeMutablePointer<Float>, _ count: Int, _ ramp: Int) {
    guard ramp >= 0 else { return clear(target, count) }
    for i in 0..<count { target[i] -= target[i] * (Float(ramp + i) * (1 / Float(Self.rampFrames))) }
  }

  /// What sounds comes to its end.
  @_noLocks func fade(_ block: LiveBlock, from first: Int, _ count: Int) {
    fade(block.left + first, count)
    fade(block.right + first, count)
    if let directOuts = block.directOuts {
      for index in 0..<block.directOutCount {
        fade(directOuts[index].left + first, count)
        fade(directOuts[index].right + first, count)
      }
    }
    if let click = block.click { fade(click + first, count) }
  }

  @_noLocks private func fade(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    for i in 0..<count {
      samples[i] *= 1 - Float(transport.faded + i) * (1 / Float(Self.rampFrames))
    }
  }

  /// Looks at all that leaves: what is no finite number becomes silence and is counted, as in a bounce, and the peaks are
  /// noted.
  @_noLocks mutating func check(_ block: LiveBlock, from first: Int, _ count: Int) {
    crossing.pointee.peakLeft.raise(to: check(block.left + first, count))
    crossing.pointee.peakRight.raise(to: check(block.right + first, count))
    guard let directOuts = block.directOuts else { return }
    for index in 0..<block.directOutCount {
      _ = check(directOuts[index].left + first, count)
      _ = check(directOuts[index].right + first, count)
    }
  }

  /// - Returns: the greatest magnitude, finite.
  @_noLocks private mutating func check(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Float {
    let greatest = greatestMagnitude(of: samples, count)
    if greatest < Float.infinity.bitPattern { return Float(bitPattern: greatest) }
    record.invalidSampleCount += silenceInvalid(samples, count)
    return Float(bitPattern: greatestMagnitude(of: samples, count))
  }
}
