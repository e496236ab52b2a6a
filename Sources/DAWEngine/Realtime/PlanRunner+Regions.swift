import CSampleCodec

extension PlanRunner {
  /// Walks through the regions of a track that the slice meets, in order of id.
  /// - Returns: the next piece that is needed, `nil` behind the last.
  @_noLocks func nextPiece(group: Int, buffer: Int, strip: Strip?) -> StreamRequest? {
    if item < 0 {
      activate(group)
      beginItems(
        buffer: buffer, isEmpty: plan.groups[group].activeCount == 0,
        strip: plan.groups[group].areApart ? strip : nil)
    }
    while item < plan.groups[group].activeCount {
      let index = plan.active[plan.groups[group].first + item]
      let region = plan.regions[index]
      let first = max(frame, region.start) + Int64(done)
      let remaining = min(frame + Int64(frameCount), region.end) - first
      if remaining > 0 {
        return StreamRequest(
          stream: .region(index, source: region.source), firstFrame: first - region.anchor,
          frameCount: min(Int(remaining), region.pieceFrames))
      }
      item += 1
      done = 0
    }
    return nil
  }

  /// Finds the regions of a group that the slice meets. A slice that follows the last one costs nothing where none begins or
  /// ends, else those that do; one that goes back, a walk through the group.
  @_noLocks private func activate(_ index: Int) {
    if frame >= plan.groups[index].frame, frame + Int64(frameCount) <= plan.groups[index].settledEnd { return }
    var group = plan.groups[index]
    if frame < group.frame {
      group.seen = 0
      group.activeCount = 0
    }
    group.frame = frame
    let active = plan.active + group.first
    var kept = 0
    group.settledEnd = .max
    for place in 0..<group.activeCount where plan.regions[active[place]].end > frame {
      active[kept] = active[place]
      kept += 1
      group.settledEnd = min(group.settledEnd, plan.regions[active[place]].end)
    }
    let end = frame + Int64(frameCount)
    while group.seen < group.count {
      let candidate = plan.startOrder[group.first + group.seen]
      let start = plan.regions[candidate].start
      guard start < end else {
        group.settledEnd = min(group.settledEnd, start)
        break
      }
      group.seen += 1
      guard plan.regions[candidate].end > frame else { continue }
      group.settledEnd = min(group.settledEnd, plan.regions[candidate].end)
      var place = kept
      while place > 0, active[place - 1] > candidate {
        active[place] = active[place - 1]
        place -= 1
      }
      active[place] = candidate
      kept += 1
    }
    group.activeCount = kept
    group.areApart = areApart(group)
    plan.groups[index] = group
  }

  /// Whether no two of the regions that the slice meets sound at the same time. Of many it is not asked: that would take
  /// longer than what it saves.
  @_noLocks private func areApart(_ group: RegionGroup) -> Bool {
    guard group.activeCount <= 16 else { return false }
    let active = plan.active + group.first
    for place in 0..<group.activeCount {
      let region = plan.regions[active[place]]
      for other in 0..<place {
        let earlier = plan.regions[active[other]]
        if region.start < earlier.end, earlier.start < region.end { return false }
      }
    }
    return true
  }

  /// Mixes in what the last request asked for, or the beginning of it.
  /// - Parameters:
  ///   - bytes: frames of a region's source from the request's `firstFrame` on, as they lie in the stream; any
  ///     alignment.
  ///   - frameCount: 1 … the request's.
  @_noLocks public func supply(_ bytes: UnsafeRawPointer, frameCount count: Int) {
    guard case .sumRegions(let groupIndex, let buffer, let isStereo, let strip) = plan.steps[step] else { return }
    let region = plan.regions[plan.active[plan.groups[groupIndex].first + item]]
    let first = max(frame, region.start) + Int64(done)
    let place = Int(first - frame)
    done += count

    // By far the most common case, in one pass.
    if goesToStrip, let strip, region.channelCount == 1, region.gain.isConstant, case .one = region.pick {
      invalidSampleCount += daw_add_to_both(
        plan.path, region.format, bytes, count, region.gain.constant, strip.left, strip.right,
        side(strip.target, 0) + place, side(strip.target, 1) + place)
      return
    }

    let unpacked = plan.unpacked
    var gain: Float = region.gain.isConstant ? region.gain.constant : 1
    if case .mean = region.pick { gain = 1 }  // the region's gain comes after the mean
    invalidSampleCount += daw_unpack(
      plan.path, region.format, bytes, count * region.channelCount, gain, unpacked)

    var left = unpacked
    var right = unpacked
    let picked = plan.picked
    switch region.pick {
    case .one(let channel):
      if region.channelCount > 1 {
        left = picked
        right = picked
        pick(channel, of: unpacked, channelCount: region.channelCount, into: left, count)
      }
    case .two(let first, let second):
      left = picked
      right = picked + count
      pick(first, second, of: unpacked, channelCount: region.channelCount, into: left, right, count)
    case .mean(let first, let second):
      left = picked
      right = picked
      pick(first, second, of: unpacked, channelCount: region.channelCount, into: picked, picked + count, count)
      mean(picked, picked + count, times: region.gain.isConstant ? region.gain.constant : 1, into: picked, count)
    }
    if !region.gain.isConstant {
      let gains = plan.gains
      evaluate(region.gain, frame: first, count, into: gains)
      scale(left, by: gains, count)
      if right != left { scale(right, by: gains, count) }
    }
    deposit(left, right, at: place, count, buffer: buffer, isStereo: isStereo, strip: strip)
  }

  /// Mixes in what the last request asked of an instrument, or the beginning of it.
  /// - Parameters:
  ///   - left: samples from the request's `firstFrame` on.
  ///   - right: likewise.
  ///   - frameCount: 1 … the request's.
  @_noLocks public func supply(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount count: Int
  ) {
    guard case .playInstrument(_, let buffer, let strip) = plan.steps[step] else { return }
    if max(greatestMagnitude(of: left, count), greatestMagnitude(of: right, count)) < Float.infinity.bitPattern {
      deposit(left, right, at: done, count, buffer: buffer, isStereo: true, strip: strip)
    } else {
      // Frame by frame, so that it is the same however the frames are cut into pieces.
      for i in 0..<count {
        let invalid = (left[i].isFinite ? 0 : 1) + (right[i].isFinite ? 0 : 1)
        invalidSampleCount += invalid
        if invalid > 0 { continue }
        deposit(left + i, right + i, at: done + i, 1, buffer: buffer, isStereo: true, strip: strip)
      }
    }
    done += count
  }

  /// The stream has not got it in time: what the last request asked for, or the beginning of it, is silent.
  /// - Parameter frameCount: 1 … the request's.
  @_noLocks public func supplySilence(frameCount count: Int) {
    lateFrameCount += count
    done += count
  }

  /// Adds samples to the step's buffer, or past it to the strip's target.
  @_noLocks private func deposit(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, at place: Int, _ count: Int, buffer: Int,
    isStereo: Bool, strip: Strip?
  ) {
    if goesToStrip, let strip {
      let targetLeft = side(strip.target, 0) + place
      let targetRight = side(strip.target, 1) + place
      if left == right {
        addToBoth(left, left: strip.left, right: strip.right, targetLeft, targetRight, count)
      } else {
        add(left, times: strip.left, to: targetLeft, count)
        add(right, times: strip.right, to: targetRight, count)
      }
    } else {
      add(left, to: side(buffer, 0) + place, count)
      if isStereo { add(right, to: side(buffer, 1) + place, count) }
    }
  }
}
