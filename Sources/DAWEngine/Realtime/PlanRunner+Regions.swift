import CSampleCodec
import DAWTime

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
    let frame = timelineFrame(of: plan.groups[group])
    while item < plan.groups[group].activeCount {
      let index = plan.active[plan.groups[group].tree.first + item]
      let region = plan.regions[index]
      let first = max(frame, region.start) + done
      let remaining = min(frame + frameCount, region.end) - first
      if remaining > 0 {
        return StreamRequest(
          stream: .region(index, source: region.source, FileFrame(at: first, anchor: region.anchor)),
          frameCount: min(remaining, region.pieceFrames))
      }
      item += 1
      done = 0
    }
    return nil
  }

  /// The slice's first frame on a group's timeline: in a passage perhaps that of the plan before.
  @_noLocks private func timelineFrame(of group: RegionGroup) -> TimelineFrame {
    group.isOfPlanBefore ? frame + earlierOffset : frame
  }

  /// The slice's first frame on a region's timeline.
  @_noLocks private func timelineFrame(of region: LinkedRegion) -> TimelineFrame {
    region.isOfPlanBefore ? frame + earlierOffset : frame
  }

  /// The frame of a region's file at the slice's first frame; may lie before the region, or behind it.
  @_noLocks func firstFileFrame(of region: LinkedRegion) -> FileFrame {
    FileFrame(at: timelineFrame(of: region), anchor: region.anchor)
  }

  /// Updates the group's active regions, those that overlap the slice. A slice that follows the last one costs the
  /// regions that begin or end in it; any other one a search (`seek`).
  @_noLocks private func activate(_ index: Int) {
    let frame = timelineFrame(of: plan.groups[index])
    let end = frame + frameCount
    if frame >= plan.groups[index].frame, end <= plan.groups[index].validEnd { return }
    var group = plan.groups[index]
    if isFar(frame, group) { seek(&group, frame, end) } else { follow(&group, frame, end) }
    group.frame = frame
    group.validEnd = group.seen < group.tree.count ? plan.start(group.seen, of: group.tree) : .max
    let active = plan.active + group.tree.first
    for place in 0..<group.activeCount { group.validEnd = min(group.validEnd, plan.regions[active[place]].end) }
    group.isDisjoint = isDisjoint(group)
    plan.groups[index] = group
  }

  /// Whether a slice lies before the group's last one, or so many regions begin before it that a search is cheaper.
  @_noLocks private func isFar(_ frame: TimelineFrame, _ group: RegionGroup) -> Bool {
    if frame < group.frame { return true }
    let next = group.seen + 32
    guard next < group.tree.count else { return false }
    return plan.start(next, of: group.tree) < frame
  }

  /// Brings a group from its last slice to one that begins later.
  @_noLocks private func follow(_ group: inout RegionGroup, _ frame: TimelineFrame, _ end: TimelineFrame) {
    let active = plan.active + group.tree.first
    var kept = 0
    for place in 0..<group.activeCount where plan.regions[active[place]].end > frame {
      active[kept] = active[place]
      kept += 1
    }
    while group.seen < group.tree.count, plan.start(group.seen, of: group.tree) < end {
      let candidate = plan.startOrder[group.tree.first + group.seen]
      group.seen += 1
      guard plan.regions[candidate].end > frame else { continue }
      var place = kept
      while place > 0, active[place - 1] > candidate {
        active[place] = active[place - 1]
        place -= 1
      }
      active[place] = candidate
      kept += 1
    }
    group.activeCount = kept
  }

  /// Brings a group to any slice, in O((1 + active regions) × log(regions)).
  @_noLocks private func seek(_ group: inout RegionGroup, _ frame: TimelineFrame, _ end: TimelineFrame) {
    group.seen = plan.startCount(before: end, of: group.tree)
    let active = plan.active + group.tree.first
    var count = 0
    var place = plan.nextEnding(after: frame, from: 0, of: group.tree)
    while place < group.seen {
      active[count] = plan.startOrder[group.tree.first + place]
      count += 1
      place = plan.nextEnding(after: frame, from: place + 1, of: group.tree)
    }
    heapSort(active, count)
    group.activeCount = count
  }

  /// Whether no two active regions overlap. Not checked for more than 16, where the check would cost more than it
  /// saves.
  @_noLocks private func isDisjoint(_ group: RegionGroup) -> Bool {
    guard group.activeCount <= 16 else { return false }
    let active = plan.active + group.tree.first
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
  ///   - bytes: the source's frames from the request's first one on, in the stream's encoding; any alignment.
  ///   - frameCount: 1 … the request's.
  @_noLocks public func supply(_ bytes: UnsafeRawPointer, frameCount count: Int) {
    guard case .sumRegions(let groupIndex, let buffer, let isStereo, _) = plan.steps[step] else { return }
    let region = plan.regions[plan.active[plan.groups[groupIndex].tree.first + item]]
    let frame = timelineFrame(of: region)
    let first = max(frame, region.start) + done
    done += count
    guard !region.gain.isConstant else {
      return mix(
        bytes, count, of: region, at: first - frame, gain: region.gain.constant, isFading: false, buffer: buffer,
        isStereo: isStereo)
    }
    // Where its gain does not move, a region with fades is as cheap as one without.
    var (bytes, now) = (bytes, first)
    while now < first + count {
      let span = span(of: region.gain, from: now)
      let end = min(span.end, first + count)
      mix(
        bytes, end - now, of: region, at: now - frame, gain: span.gain, isFading: !span.isResting,
        buffer: buffer, isStereo: isStereo)
      bytes += (end - now) * region.byteCount
      now = end
    }
  }

  /// Mixes a piece of a region.
  /// - Parameters:
  ///   - place: where in the slice it begins.
  ///   - gain: the region's, unless `isFading`.
  ///   - isFading: whether its gain moves.
  @_noLocks private func mix(
    _ bytes: UnsafeRawPointer, _ count: Int, of region: LinkedRegion, at place: Int, gain: Float, isFading: Bool,
    buffer: Int, isStereo: Bool
  ) {
    // The most common case, in one pass.
    if isFused, region.channelCount == 1, !isFading, case .one = region.pick {
      invalidSampleCount += daw_add_to_both(
        plan.path, region.format, bytes, count, gain, fused.left, fused.right, side(fused.target, 0) + place,
        side(fused.target, 1) + place)
      return
    }

    if !isFused, !isStereo, region.channelCount == 1, !isFading, case .one = region.pick, place >= written {
      _ = prepare(buffer, from: place, count)
      invalidSampleCount += daw_unpack(plan.path, region.format, bytes, count, gain, side(buffer, 0) + place)
      return
    }

    let unpacked = plan.unpacked
    var unpackedGain: Float = isFading ? 1 : gain
    if case .mean = region.pick { unpackedGain = 1 }  // the region's gain comes after the mean
    invalidSampleCount += daw_unpack(
      plan.path, region.format, bytes, count * region.channelCount, unpackedGain, unpacked)

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
      mean(picked, picked + count, times: isFading ? 1 : gain, into: picked, count)
    }
    if isFading {
      let gains = plan.gains
      let frame = timelineFrame(of: region) + place
      evaluate(region.gain, at: place, frame: frame, earlierFrame: frame, count, into: gains)
      scale(left, by: gains, count)
      if right != left { scale(right, by: gains, count) }
    }
    deposit(left, right, at: place, count, buffer: buffer, isStereo: isStereo)
  }

  /// Answers the last request, for an instrument. If a sample is NaN or infinite, both sides of its frame are left out.
  /// - Parameters:
  ///   - left: samples from the request's first frame on.
  ///   - right: likewise.
  ///   - frameCount: 1 … the request's.
  @_noLocks public func supply(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount count: Int
  ) {
    guard case .playInstrument(_, let buffer, _) = plan.steps[step] else { return }
    if max(greatestMagnitude(of: left, count, plan.path), greatestMagnitude(of: right, count, plan.path))
      < Float.infinity.bitPattern
    {
      deposit(left, right, at: done, count, buffer: buffer, isStereo: true)
    } else {
      // Frame by frame, so that the result does not depend on how the frames are cut into pieces.
      for i in 0..<count {
        let invalid = (left[i].isFinite ? 0 : 1) + (right[i].isFinite ? 0 : 1)
        invalidSampleCount += invalid
        if invalid > 0 { continue }
        deposit(left + i, right + i, at: done + i, 1, buffer: buffer, isStereo: true)
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
    isStereo: Bool
  ) {
    if isFused {
      let targetLeft = side(fused.target, 0) + place
      let targetRight = side(fused.target, 1) + place
      daw_mix(plan.path, left, right, count, fused.left, fused.right, targetLeft, targetRight)
    } else if prepare(buffer, from: place, count) {
      write(left, to: side(buffer, 0) + place, count)
      if isStereo { write(right, to: side(buffer, 1) + place, count) }
    } else {
      add(left, to: side(buffer, 0) + place, count)
      if isStereo { add(right, to: side(buffer, 1) + place, count) }
    }
  }
}

/// Sorts in place, without memory of its own.
@_noLocks private func heapSort(_ values: UnsafeMutablePointer<Int>, _ count: Int) {
  var first = count / 2
  var end = count
  while end > 1 {
    if first > 0 {
      first -= 1
    } else {
      end -= 1
      (values[0], values[end]) = (values[end], values[0])
    }
    // Sinks the value at `first` in the heap of the first `end` values.
    var parent = first
    while 2 * parent + 1 < end {
      var child = 2 * parent + 1
      if child + 1 < end, values[child + 1] > values[child] { child += 1 }
      guard values[parent] < values[child] else { break }
      (values[parent], values[child]) = (values[child], values[parent])
      parent = child
    }
  }
}
