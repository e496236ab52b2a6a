import DAWTime

// Effects and delays.

extension PlanRunner {
  @_noLocks func makeStereo(_ buffer: Int, _ gain: Float) {
    guard !plan.isSilent[buffer] else { return }
    if gain != 1 { DAWEngine.scale(side(buffer, 0), by: gain, frameCount) }
    copy(side(buffer, 0), to: side(buffer, 1), frameCount)
  }

  @_noLocks func delay(
    _ memory: UnsafeMutablePointer<DelayMemory>, _ source: Int, into target: Int, isStereo: Bool
  ) {
    open(source)
    open(target)
    if !memory.pointee.place.advance(to: position, by: frameCount, epoch: slice.epoch) { memory.pointee.clear() }
    memory.pointee.process(
      side(source, 0), isStereo ? side(source, 1) : nil, into: side(target, 0), isStereo ? side(target, 1) : nil,
      frameCount)
  }

  /// Runs an effect on a buffer, in place.
  /// - Parameter key: the buffer of its side chain, −1 for none.
  @_noLocks func run(_ insert: LinkedInsert, on buffer: Int, isStereo: Bool, key: Int) {
    // Before playback begins there is nothing to process but inputs.
    if isBeforeStart, plan.monitorCount == 0 { return }
    open(buffer)
    if key >= 0 { open(key) }
    let (left, right) = (side(buffer, 0), isStereo ? side(buffer, 1) : nil)
    let isBypassed = insert.share.isConstant && insert.share.constant == 0
    let isWhole = insert.share.isConstant && insert.share.constant == 1
    if isBypassed, insert.latency == 0 { return }
    let dry = (left: plan.dry, right: isStereo ? plan.dry + plan.maximumFrames : nil)
    if !isWhole || insert.latency > 0 {
      let isNext = insert.dry.pointee.place.advance(to: position, by: frameCount, epoch: slice.epoch)
      if !isNext { insert.dry.pointee.clear() }
      insert.dry.pointee.process(left, right, into: dry.left, dry.right, frameCount)
    }
    if isBypassed {
      copy(dry.left, to: left, frameCount)
      if let right, let dryRight = dry.right { copy(dryRight, to: right, frameCount) }
      return
    }
    if !insert.place.pointee.advance(to: position, by: frameCount, epoch: slice.epoch) {
      insert.effect._withUnsafeGuaranteedRef { $0.reset() }
    }
    process(insert, left, right, key >= 0 ? side(key, 0) : nil, key >= 0 ? side(key, 1) : nil)
    guard !isWhole else { return }
    // That of the frames that come out, as of the dry signal.
    let heard = frame + outputOffset(latency: insert.latency)
    evaluate(
      insert.share, at: 0, frame: heard, earlierFrame: heard + earlierOffset, frameCount, into: plan.gains)
    blend(left, dry.left)
    if let right, let dryRight = dry.right { blend(right, dryRight) }
  }

  /// wet × share + dry × (1 − share), with the shares of `plan.gains`.
  @_noLocks private func blend(_ wet: UnsafeMutablePointer<Float>, _ dry: UnsafePointer<Float>) {
    let shares = plan.gains
    for i in 0..<frameCount { wet[i] = wet[i] * shares[i] + dry[i] * (1 - shares[i]) }
  }

  @_noLocks private func process(
    _ insert: LinkedInsert, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>?,
    _ keyLeft: UnsafePointer<Float>?, _ keyRight: UnsafePointer<Float>?
  ) {
    let (start, end) = (plan.settings, plan.settings + insert.parameterCount)
    if insert.isAtRest {
      for i in 0..<insert.parameterCount { start[i] = plan.parameters[insert.firstParameter + i].constant }
      let (count, place) = (frameCount, frame - frame.knot)
      insert.effect._withUnsafeGuaranteedRef {
        $0.process(
          left: left, right: right, keyLeft: keyLeft, keyRight: keyRight, frameCount: count, place: place, start: start,
          end: nil)
      }
      return
    }
    var done = 0
    setValues(of: insert, at: knot(before: 0), end)
    while done < frameCount {
      let knot = knot(before: done)
      for i in 0..<insert.parameterCount { start[i] = end[i] }
      setValues(of: insert, at: knot + 16, end)
      let place = frame + done - knot
      let count = min(16 - place, frameCount - done)
      var isAtRest = true
      for i in 0..<insert.parameterCount where start[i] != end[i] { isAtRest = false }
      let pieceRight = advanced(right, by: done)
      let (pieceKeyLeft, pieceKeyRight) = (advanced(keyLeft, by: done), advanced(keyRight, by: done))
      let pieceEnd = isAtRest ? nil : UnsafePointer(end)
      let pieceLeft = left + done
      insert.effect._withUnsafeGuaranteedRef {
        $0.process(
          left: pieceLeft, right: pieceRight, keyLeft: pieceKeyLeft, keyRight: pieceKeyRight, frameCount: count,
          place: place, start: start, end: pieceEnd)
      }
      done += count
    }
  }

  /// The knot at or before a frame of the slice. While the timeline stands still they are counted from its start.
  @_noLocks private func knot(before index: Int) -> TimelineFrame {
    isHeld ? frame + index / 16 * 16 : (frame + index).knot
  }

  @_noLocks private func advanced(
    _ samples: UnsafeMutablePointer<Float>?, by count: Int
  ) -> UnsafeMutablePointer<Float>? {
    guard let samples else { return nil }
    return samples + count
  }

  @_noLocks private func advanced(_ samples: UnsafePointer<Float>?, by count: Int) -> UnsafePointer<Float>? {
    guard let samples else { return nil }
    return samples + count
  }

  /// Sets an effect's values at a frame.
  @_noLocks private func setValues(
    of insert: LinkedInsert, at knot: TimelineFrame, _ values: UnsafeMutablePointer<Double>
  ) {
    let offset = outputOffset(latency: insert.latency)
    for i in 0..<insert.parameterCount {
      let parameter = plan.parameters[insert.firstParameter + i]
      let place = (isHeld ? frame : knot) + (parameter.isOfOutput ? offset : 0)
      var value = value(of: parameter, at: place)
      if parameter.earlier >= 0 {
        let done = Double(passed + (knot - frame)) * (1 / Double(Passage.frameCount))
        let before = self.value(of: plan.parameters[parameter.earlier], at: place + earlierOffset)
        value = before + (value - before) * min(1, max(0, done))
      }
      values[i] = value
    }
  }

  @_noLocks private func value(of parameter: LinkedParameter, at frame: TimelineFrame) -> Double {
    parameter.curve < 0 ? parameter.constant : value(ofCurve: parameter.curve, at: frame)
  }
}
