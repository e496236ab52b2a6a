import CSampleCodec

extension PlanRunner {
  /// Walks through a track's regions that overlap the slice, in order of id.
  /// - Returns: the next piece needed, `nil` after the last.
  @_noLocks func nextPiece(group: Int, buffer: Int, fusedMix: FusedMix?) -> StreamRequest? {
    if item < 0 {
      activate(group)
      beginItems(
        buffer: buffer, isEmpty: plan.groups[group].activeCount == 0,
        fusedMix: plan.groups[group].isDisjoint ? fusedMix : nil)
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

  /// Updates the group's active regions, those that overlap the slice. Incremental: a slice that follows the last one
  /// costs only the regions that begin or end in it; a jump backwards walks through the whole group.
  @_noLocks private func activate(_ index: Int) {
    if frame >= plan.groups[index].frame, frame + Int64(frameCount) <= plan.groups[index].validEnd { return }
    var group = plan.groups[index]
    if frame < group.frame {
      group.seen = 0
      group.activeCount = 0
    }
    group.frame = frame
    let active = plan.active + group.first
    var kept = 0
    group.validEnd = .max
    for place in 0..<group.activeCount where plan.regions[active[place]].end > frame {
      active[kept] = active[place]
      kept += 1
      group.validEnd = min(group.validEnd, plan.regions[active[place]].end)
    }
    let end = frame + Int64(frameCount)
    while group.seen < group.count {
      let candidate = plan.startOrder[group.first + group.seen]
      let start = plan.regions[candidate].start
      guard start < end else {
        group.validEnd = min(group.validEnd, start)
        break
      }
      group.seen += 1
      guard plan.regions[candidate].end > frame else { continue }
      group.validEnd = min(group.validEnd, plan.regions[candidate].end)
      var place = kept
      while place > 0, active[place - 1] > candidate {
        active[place] = active[place - 1]
        place -= 1
      }
      active[place] = candidate
      kept += 1
    }
    group.activeCount = kept
    group.isDisjoint = isDisjoint(group)
    plan.groups[index] = group
  }

  /// Whether no two active regions overlap. Not checked for more than 16, where the check would cost more than it
  /// saves.
  @_noLocks private func isDisjoint(_ group: RegionGroup) -> Bool {
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

  /// Answers the last request, for a region.
  /// - Parameters:
  ///   - bytes: the source's frames from the request's `firstFrame` on, in the stream's encoding; any alignment.
  ///   - frameCount: 1 … the request's.
  @_noLocks public func supply(_ bytes: UnsafeRawPointer, frameCount count: Int) {
    guard case .sumRegions(let groupIndex, let buffer, let isStereo, let fusedMix) = plan.steps[step] else { return }
    let region = plan.regions[plan.active[plan.groups[groupIndex].first + item]]
    let first = max(frame, region.start) + Int64(done)
    done += count
    guard !region.gain.isConstant else {
      return mix(
        bytes, count, of: region, at: Int(first - frame), isFading: false, buffer: buffer, isStereo: isStereo,
        fusedMix: fusedMix)
    }
    // Where its gain does not move, a region with fades is as cheap as one without.
    var (bytes, now) = (bytes, first)
    while now < first + Int64(count) {
      let span = span(of: region.gain, from: now)
      let end = min(span.end, first + Int64(count))
      mix(
        bytes, Int(end - now), of: region, at: Int(now - frame), isFading: !span.isConstant, buffer: buffer,
        isStereo: isStereo, fusedMix: fusedMix)
      bytes += Int(end - now) * region.byteCount
      now = end
    }
  }

  /// Mixes a piece of a region.
  /// - Parameters:
  ///   - place: where in the slice it begins.
  ///   - isFading: whether its gain is not `constant` throughout.
  @_noLocks private func mix(
    _ bytes: UnsafeRawPointer, _ count: Int, of region: LinkedRegion, at place: Int, isFading: Bool, buffer: Int,
    isStereo: Bool, fusedMix: FusedMix?
  ) {
    // The most common case, in one pass.
    if isFused, let fusedMix, region.channelCount == 1, !isFading, case .one = region.pick {
      invalidSampleCount += daw_add_to_both(
        plan.path, region.format, bytes, count, region.gain.constant, fusedMix.left, fusedMix.right,
        side(fusedMix.target, 0) + place, side(fusedMix.target, 1) + place)
      return
    }

    let unpacked = plan.unpacked
    var gain: Float = isFading ? 1 : region.gain.constant
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
      mean(picked, picked + count, times: isFading ? 1 : region.gain.constant, into: picked, count)
    }
    if isFading {
      let gains = plan.gains
      evaluate(region.gain, frame: frame + Int64(place), count, into: gains)
      scale(left, by: gains, count)
      if right != left { scale(right, by: gains, count) }
    }
    deposit(left, right, at: place, count, buffer: buffer, isStereo: isStereo, fusedMix: fusedMix)
  }

  /// Answers the last request, for an instrument. If a sample is NaN or infinite, both sides of its frame are left out.
  /// - Parameters:
  ///   - left: samples from the request's `firstFrame` on.
  ///   - right: likewise.
  ///   - frameCount: 1 … the request's.
  @_noLocks public func supply(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount count: Int
  ) {
    guard case .playInstrument(_, let buffer, let fusedMix) = plan.steps[step] else { return }
    if max(greatestMagnitude(of: left, count, plan.path), greatestMagnitude(of: right, count, plan.path))
      < Float.infinity.bitPattern
    {
      deposit(left, right, at: done, count, buffer: buffer, isStereo: true, fusedMix: fusedMix)
    } else {
      // Frame by frame, so that the result does not depend on how the frames are cut into pieces.
      for i in 0..<count {
        let invalid = (left[i].isFinite ? 0 : 1) + (right[i].isFinite ? 0 : 1)
        invalidSampleCount += invalid
        if invalid > 0 { continue }
        deposit(left + i, right + i, at: done + i, 1, buffer: buffer, isStereo: true, fusedMix: fusedMix)
      }
    }
    done += count
  }

  /// Answers the last request with silence, when the stream is late; counted in `lateFrameCount`.
  /// - Parameter frameCount: 1 … the request's.
  @_noLocks public func supplySilence(frameCount count: Int) {
    lateFrameCount += count
    done += count
  }

  /// Adds samples to the step's buffer, or directly to the fused mix's target.
  @_noLocks private func deposit(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, at place: Int, _ count: Int, buffer: Int,
    isStereo: Bool, fusedMix: FusedMix?
  ) {
    if isFused, let fusedMix {
      let targetLeft = side(fusedMix.target, 0) + place
      let targetRight = side(fusedMix.target, 1) + place
      if left == right {
        addToBoth(left, left: fusedMix.left, right: fusedMix.right, targetLeft, targetRight, count)
      } else {
        add(left, times: fusedMix.left, to: targetLeft, count)
        add(right, times: fusedMix.right, to: targetRight, count)
      }
    } else {
      add(left, to: side(buffer, 0) + place, count)
      if isStereo { add(right, to: side(buffer, 1) + place, count) }
    }
  }
}
