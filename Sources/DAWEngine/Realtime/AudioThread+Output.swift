import DAWRealtime

// Writing a plan's output to the block's buffers.
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

  /// Writes a plan's output to the block.
  /// - Parameter ramp: frames of the crossfade done so far: crossfades from what is in the block to the plan's
  ///   output. −1 overwrites the block.
  @_noLocks func write(
    _ plan: UnsafeMutablePointer<LivePlanMemory>, to block: LiveBlock, from first: Int, _ count: Int, ramp: Int
  ) {
    plan.pointee.runner._withUnsafeGuaranteedRef { runner in
      move(runner.left, to: block.left + first, count, ramp)
      move(runner.right, to: block.right + first, count, ramp)
      guard let directOuts = block.directOuts else { return }
      for index in 0..<block.directOutCount {
        let buffer = directBuffer(of: directOuts[index].trackID, in: plan)
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

  /// The buffer of a track's own output, −1 if the plan has none. A binary search: `directOuts` is in order of
  /// `trackID`.
  @_noLocks private func directBuffer(of trackID: Int64, in plan: UnsafeMutablePointer<LivePlanMemory>) -> Int {
    var low = 0
    var high = plan.pointee.directOutCount
    while low < high {
      let middle = (low + high) / 2
      if plan.pointee.directOuts[middle].trackID < trackID { low = middle + 1 } else { high = middle }
    }
    guard low < plan.pointee.directOutCount, plan.pointee.directOuts[low].trackID == trackID else { return -1 }
    return plan.pointee.directOuts[low].buffer
  }

  /// A linear crossfade. Equal samples stay the same to the bit.
  @_noLocks private func move(
    _ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ count: Int, _ ramp: Int
  ) {
    guard ramp >= 0 else { return copy(source, to: target, count) }
    for i in 0..<count {
      let share = Float(ramp + i) * (1 / Float(Self.rampFrames))
      target[i] += (source[i] - target[i]) * share
    }
  }

  /// A linear crossfade to silence.
  @_noLocks private func moveSilence(to target: UnsafeMutablePointer<Float>, _ count: Int, _ ramp: Int) {
    guard ramp >= 0 else { return clear(target, count) }
    for i in 0..<count { target[i] -= target[i] * (Float(ramp + i) * (1 / Float(Self.rampFrames))) }
  }

  /// Fades out what is in the block.
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

  /// Checks the output: NaN and infinite samples become 0 and are counted, as in a bounce; peaks are metered.
  @_noLocks mutating func check(_ block: LiveBlock, from first: Int, _ count: Int) {
    shared.pointee.peakLeft.raise(to: check(block.left + first, count))
    shared.pointee.peakRight.raise(to: check(block.right + first, count))
    guard let directOuts = block.directOuts else { return }
    for index in 0..<block.directOutCount {
      _ = check(directOuts[index].left + first, count)
      _ = check(directOuts[index].right + first, count)
    }
  }

  /// - Returns: the peak, finite.
  @_noLocks private mutating func check(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Float {
    let greatest = greatestMagnitude(of: samples, count, path)
    if greatest < Float.infinity.bitPattern { return Float(bitPattern: greatest) }
    record.invalidSampleCount += silenceInvalid(samples, count)
    return Float(bitPattern: greatestMagnitude(of: samples, count, path))
  }
}
