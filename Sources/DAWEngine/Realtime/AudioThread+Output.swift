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

  /// Writes the output of a plan, or of the passage to it, to the block.
  @_noLocks func write(
    _ runner: Unmanaged<PlanRunner>, of plan: UnsafeMutablePointer<LivePlanMemory>, to block: LiveBlock,
    from first: Int, _ count: Int
  ) {
    runner._withUnsafeGuaranteedRef { runner in
      copy(runner.left, to: block.left + first, count)
      copy(runner.right, to: block.right + first, count)
      guard let directOuts = block.directOuts else { return }
      for index in 0..<block.directOutCount {
        let buffer = directBuffer(of: directOuts[index].trackID, in: plan)
        let left = directOuts[index].left + first
        let right = directOuts[index].right + first
        if buffer >= 0, !runner.plan.isSilent[buffer] {
          copy(runner.side(buffer, 0), to: left, count)
          copy(runner.side(buffer, 1), to: right, count)
        } else {
          clear(left, count)
          clear(right, count)
        }
      }
    }
  }

  /// The buffer of a track's own output, −1 if the plan has none. A binary search: `directOuts` is in order of
  /// `trackID`.
  @_noLocks private func directBuffer(of trackID: Int64, in plan: UnsafeMutablePointer<LivePlanMemory>) -> Int {
    let directOuts = before == nil ? plan.pointee.directOuts : plan.pointee.passageDirectOuts
    let count = before == nil ? plan.pointee.directOutCount : plan.pointee.passageDirectOutCount
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if directOuts[middle].trackID < trackID { low = middle + 1 } else { high = middle }
    }
    return low < count && directOuts[low].trackID == trackID ? directOuts[low].buffer : -1
  }

  /// Fades out what is in the block.
  /// - Parameter faded: frames of the fade-out done.
  @_noLocks func fade(_ block: LiveBlock, from first: Int, _ count: Int, faded: Int) {
    fadeOut(block.left + first, faded: faded, count)
    fadeOut(block.right + first, faded: faded, count)
    if let directOuts = block.directOuts {
      for index in 0..<block.directOutCount {
        fadeOut(directOuts[index].left + first, faded: faded, count)
        fadeOut(directOuts[index].right + first, faded: faded, count)
      }
    }
    fadeClick(block, from: first, count, faded: faded)
  }

  @_noLocks func fadeClick(_ block: LiveBlock, from first: Int, _ count: Int, faded: Int) {
    if let click = block.click { fadeOut(click + first, faded: faded, count) }
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
