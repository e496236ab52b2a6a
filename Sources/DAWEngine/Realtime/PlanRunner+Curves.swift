import CSampleCodec
import DAWTime

// Values of curves.

/// How a curve goes on from a frame.
struct CurveSpan {
  /// Whether it has one value throughout.
  var isResting: Bool
  /// That value.
  var value: Double
  /// The frame where it ends.
  var end: TimelineFrame
}

extension PlanRunner {
  /// A curve's value at a frame, in the unit of its points, within the range of their values. Between points it is not
  /// straight: for parameters whose knots are the frames that 16 divides.
  @_noLocks func value(of curve: LinkedCurve, at frame: TimelineFrame) -> Double {
    value(of: curve, after: pointBefore(frame, of: curve, near: -1), at: frame)
  }

  /// The value of `PlanMemory.curves[index]` at a frame, as above. Its place is remembered, so that the next frame is
  /// found from there.
  @_noLocks func value(ofCurve index: Int, at frame: TimelineFrame) -> Double {
    let place = place(ofCurve: index, at: frame)
    return value(of: plan.curves[index], after: place, at: frame)
  }

  @_noLocks private func value(of curve: LinkedCurve, after place: Int, at frame: TimelineFrame) -> Double {
    let value = knot(frame, of: curve, after: place)
    let jumped = curve.scale.isSide ? value : value + jump(at: frame, of: curve, upTo: place)
    return min(max(jumped, curve.least), curve.greatest)
  }

  /// Whether a curve rests from a frame on, at which value, and up to which frame it rests or moves.
  @_noLocks func span(ofCurve index: Int, from frame: TimelineFrame) -> CurveSpan {
    let place = place(ofCurve: index, at: frame)
    let curve = plan.curves[index]
    let points = plan.points + curve.firstPoint
    guard isFlat(curve, after: place) else {
      return CurveSpan(isResting: false, value: 0, end: movingEnd(of: curve, after: place))
    }
    let end = restingEnd(of: curve, after: place)
    let quiet = quietFrame(of: curve, upTo: place, frame)
    if frame < quiet { return CurveSpan(isResting: false, value: 0, end: min(end, quiet)) }
    return CurveSpan(isResting: true, value: points[max(0, place)].value, end: end)
  }

  /// Where a curve that rests behind a point leaves its value, if it does before the slice ends.
  @_noLocks private func restingEnd(of curve: LinkedCurve, after place: Int) -> TimelineFrame {
    let points = plan.points + curve.firstPoint
    let value = points[max(0, place)]
    let sliceEnd = frame + frameCount
    var next = place + 1
    while next < curve.pointCount, points[next].frame < sliceEnd, points[next].value == value.value,
      points[next].argument == value.argument, isFlat(curve, after: next)
    {
      next += 1
    }
    return next < curve.pointCount ? points[next].frame : .max
  }

  /// Where a curve that moves behind a point comes to a rest, if it does before the slice ends.
  @_noLocks private func movingEnd(of curve: LinkedCurve, after place: Int) -> TimelineFrame {
    let points = plan.points + curve.firstPoint
    let sliceEnd = frame + frameCount
    var next = place + 1
    while next < curve.pointCount, points[next].frame < sliceEnd {
      if isFlat(curve, after: next) { return points[next].frame }
      next += 1
    }
    return next < curve.pointCount ? points[next].frame : .max
  }

  /// Multiplies by a curve's values at `count` frames.
  @_noLocks func multiply(
    _ products: UnsafeMutablePointer<Double>, byCurve index: Int, frame: TimelineFrame, _ count: Int
  ) {
    var place = place(ofCurve: index, at: frame)
    let curve = plan.curves[index]
    let points = plan.points + curve.firstPoint
    var first = 0
    while first < count {
      let now = frame + first
      while place + 1 < curve.pointCount, points[place + 1].frame <= now { place += 1 }
      let next = place + 1 < curve.pointCount ? points[place + 1].frame : TimelineFrame.max
      var end = next >= frame + count ? count : next - frame
      let quiet = quietFrame(of: curve, upTo: place, now)
      if isFlat(curve, after: place), now >= quiet {
        let value = points[max(0, place)].value
        if value != 1 { for i in first..<end { products[i] *= value } }
      } else if curve.scale.isSide || now >= quiet {
        // A side's gain rests from the knot on behind its last jump.
        if now < quiet, isFlat(curve, after: place), quiet < frame + end { end = quiet - frame }
        multiply(products, by: curve, after: place, next, frame: frame, first, end)
      } else {
        plan.values.update(repeating: 1, count: end - first)
        multiply(plan.values - first, by: curve, after: place, next, frame: frame, first, end)
        addJumps(plan.values - first, of: curve, upTo: place, frame: frame, first, end)
        for i in first..<end { products[i] *= plan.values[i - first] }
      }
      first = end
    }
  }

  /// - Parameters:
  ///   - next: the next point's frame.
  ///   - first: the first frame's index, which lies between the points.
  ///   - end: the index after the last.
  @_noLocks private func multiply(
    _ products: UnsafeMutablePointer<Double>, by curve: LinkedCurve, after place: Int, _ next: TimelineFrame,
    frame: TimelineFrame,
    _ first: Int, _ end: Int
  ) {
    var begin = (frame + first).knot
    if place >= 0 { begin = max(begin, plan.points[curve.firstPoint + place].frame) }
    var value = knot(begin, of: curve, after: place)
    var i = first
    while i < end {
      let following = min(next, begin.knot + 16)
      let nextValue = knot(following, of: curve, after: place)
      // Times 1/16 is the same as ÷ 16.
      let isWhole = following - begin == 16
      let slope = isWhole ? (nextValue - value) * 0.0625 : (nextValue - value) / Double(following - begin)
      let last = min(end, following - frame)
      // In 32 bits, whose conversion is a vector instruction.
      let offset = Int32(truncatingIfNeeded: frame + i - begin)
      let piece = products + i
      if last - i == 16 {
        for k in 0..<16 { piece[k] *= value + Double(Int32(truncatingIfNeeded: k)) * slope }
      } else {
        for k in 0..<(last - i) { piece[k] *= value + Double(offset &+ Int32(truncatingIfNeeded: k)) * slope }
      }
      i = last
      begin = following
      value = nextValue
    }
  }

  // MARK: Knots

  /// Fills in a curve's values at the frames `first`, `first` + 16 …, for as many stretches as go straight between
  /// them.
  /// - Parameters:
  ///   - knots: `LinkedCurve.knotRoom`.
  ///   - first: divisible by 16.
  /// - Returns: how many of the `count` stretches do: a point within one ends them, and so does a jump, until it is
  ///   over.
  @_noLocks func fillKnots(
    _ knots: UnsafeMutablePointer<Double>, ofCurve index: Int, from first: TimelineFrame, _ count: Int
  ) -> Int {
    var place = place(ofCurve: index, at: first)
    let curve = plan.curves[index]
    let points = plan.points + curve.firstPoint
    guard first >= quietFrame(of: curve, upTo: place, first) else { return 0 }
    var done = 0
    while done < count {
      let begin = first + 16 * done
      let next = place + 1 < curve.pointCount ? points[place + 1].frame : TimelineFrame.max
      let last = first + 16 * count
      let stretches = next >= last ? count - done : (next - begin) / 16
      if stretches > 0 { fill(knots + done, of: curve, after: place, from: begin, stretches + 1) }
      done += stretches
      guard done < count, next == first + 16 * done, !isJump(at: place + 1, of: curve) else { return done }
      place += 1
    }
    return done
  }

  /// A curve's values in the 16 frames from one that 16 divides.
  /// - Returns: whether they lie on at most two lines; not if there are several points, or jumps.
  @_noLocks func bend(_ line: inout daw_bent_line, ofCurve index: Int, from first: TimelineFrame) -> Bool {
    let place = place(ofCurve: index, at: first)
    let curve = plan.curves[index]
    let points = plan.points + curve.firstPoint
    guard first >= quietFrame(of: curve, upTo: place, first) else { return false }
    let end = first + 16
    line.value = knot(first, of: curve, after: place)
    line.bend = 16
    let next = place + 1 < curve.pointCount ? points[place + 1].frame : end
    guard next < end else {
      line.step = (knot(end, of: curve, after: place) - line.value) * 0.0625
      return true
    }
    if isJump(at: place + 1, of: curve) { return false }
    if place + 2 < curve.pointCount, points[place + 2].frame < end { return false }
    line.bend = Int32(truncatingIfNeeded: next - first)
    line.step = (knot(next, of: curve, after: place) - line.value) / Double(line.bend)
    line.bentValue = knot(next, of: curve, after: place + 1)
    line.bentStep = (knot(end, of: curve, after: place + 1) - line.bentValue) / Double(16 - line.bend)
    return true
  }

  /// Whether the curve is torn at a point.
  @_noLocks private func isJump(at place: Int, of curve: LinkedCurve) -> Bool {
    let points = plan.points + curve.firstPoint
    if place > 0, points[place - 1].shape.isHold { return true }
    guard place + 1 < curve.pointCount else { return false }
    return points[place + 1].frame == points[place].frame
  }

  /// The values at knots from a point to the next.
  /// - Parameters:
  ///   - knots: room for `count`, rounded up to a multiple of `LinkedCurve.knotVector`.
  ///   - begin: the first knot's frame.
  ///   - count: knots, at least 2.
  @_noLocks private func fill(
    _ knots: UnsafeMutablePointer<Double>, of curve: LinkedCurve, after place: Int, from begin: TimelineFrame,
    _ count: Int
  ) {
    let p = plan.points[curve.firstPoint + max(0, place)]
    guard !isFlat(curve, after: place) else { return knots.update(repeating: p.value, count: count) }
    let q = plan.points[curve.firstPoint + place + 1]
    let isPower = curve.scale.isLogarithmic && p.argument.isFinite && q.argument.isFinite
    let isOfArgument = isPower || curve.scale.isSide
    let (from, to) = isOfArgument ? (p.argument, q.argument) : (p.value, q.value)
    let filled = (count + LinkedCurve.knotVector - 1) / LinkedCurve.knotVector * LinkedCurve.knotVector
    if case .linear = p.shape {
      daw_fill_knots(plan.path, from, to, Double(begin - p.frame), 1 / Double(q.frame - p.frame), filled, knots)
    } else {
      for k in 0..<count { knots[k] = from + (to - from) * share(of: begin + 16 * k, p, q) }
      for k in count..<filled { knots[k] = to }
    }
    switch curve.scale {
    case .linear: break
    case .logarithmic: if isPower { daw_powers_of_two(plan.path, filled, knots) }
    case .left(let law): daw_pan_gains(plan.path, law.law, -0.5, filled, knots)
    case .right(let law): daw_pan_gains(plan.path, law.law, 0.5, filled, knots)
    }
    // Exact where a point is.
    if begin == p.frame { knots[0] = p.value }
    if begin + 16 * (count - 1) == q.frame { knots[count - 1] = q.value }
  }

  /// The value at a frame from a point to the next. Jumps are left out, but those of a pan position.
  @_noLocks @inline(__always) private func knot(_ frame: TimelineFrame, of curve: LinkedCurve, after place: Int)
    -> Double
  {
    let points = plan.points + curve.firstPoint
    let p = points[max(0, place)]
    let q = place + 1 < curve.pointCount ? points[place + 1] : p
    switch curve.scale {
    case .linear:
      if frame >= q.frame { return p.shape.isHold ? p.value : q.value }
      return isFlat(curve, after: place) || frame <= p.frame
        ? p.value : p.value + (q.value - p.value) * share(of: frame, p, q)
    case .logarithmic:
      if isFlat(curve, after: place) || frame <= p.frame { return p.value }
      if frame >= q.frame { return q.value }
      let share = share(of: frame, p, q)
      guard p.argument.isFinite, q.argument.isFinite else { return p.value + (q.value - p.value) * share }
      return exp2(p.argument + (q.argument - p.argument) * share)
    case .left(let law): return side(frame, curve, place, p, q, law, sign: -0.5)
    case .right(let law): return side(frame, curve, place, p, q, law, sign: 0.5)
    }
  }

  @_noLocks @inline(__always) private func side(
    _ frame: TimelineFrame, _ curve: LinkedCurve, _ place: Int, _ p: LinkedPoint, _ q: LinkedPoint, _ law: Curve.PanLaw,
    sign: Double
  ) -> Double {
    var position = p.argument
    let jump = curve.hasJumps ? jump(at: frame, of: curve, upTo: place) : 0
    if isFlat(curve, after: place) || frame <= p.frame {
      if jump == 0 { return p.value }
    } else if frame >= q.frame {
      if jump == 0 { return q.value }
      position = q.argument
    } else {
      position += (q.argument - p.argument) * share(of: frame, p, q)
    }
    return law.gain(0.5 + (position + jump) * sign)
  }

  @_noLocks @inline(__always) private func share(of frame: TimelineFrame, _ p: LinkedPoint, _ q: LinkedPoint) -> Double
  {
    p.shape.value(at: Double(frame - p.frame) * (1 / Double(q.frame - p.frame)))
  }

  /// Whether a curve keeps its value from a point to the next.
  @_noLocks @inline(__always) private func isFlat(_ curve: LinkedCurve, after place: Int) -> Bool {
    guard place >= 0, place + 1 < curve.pointCount else { return true }
    let p = plan.points[curve.firstPoint + place]
    let q = plan.points[curve.firstPoint + place + 1]
    return p.shape.isHold || p.value == q.value && p.argument == q.argument
  }

  // MARK: Jumps

  /// How far the curve is from its value when it jumps at a point: of a pan, in position.
  @_noLocks private func jump(_ place: Int, of curve: LinkedCurve) -> Double {
    guard place >= 1 else { return 0 }
    let p = plan.points[curve.firstPoint + place - 1]
    let q = plan.points[curve.firstPoint + place]
    guard p.shape.isHold || p.frame == q.frame else { return 0 }
    return curve.scale.isSide ? p.argument - q.argument : p.value - q.value
  }

  /// What jumps at and before a point add at a frame.
  @_noLocks private func jump(at frame: TimelineFrame, of curve: LinkedCurve, upTo place: Int) -> Double {
    guard curve.hasJumps else { return 0 }
    var sum = 0.0
    var place = place
    while place >= 1 {
      let passed = frame - plan.points[curve.firstPoint + place].frame
      if passed >= Curve.jumpFrames { break }
      sum += jump(place, of: curve) * (1 - Double(passed) / Double(Curve.jumpFrames))
      place -= 1
    }
    return sum
  }

  /// Adds at each frame what jumps at and before a point add.
  @_noLocks private func addJumps(
    _ values: UnsafeMutablePointer<Double>, of curve: LinkedCurve, upTo place: Int, frame: TimelineFrame, _ first: Int,
    _ end: Int
  ) {
    var place = place
    while place >= 1 {
      let begin = plan.points[curve.firstPoint + place].frame
      if frame + first - begin >= Curve.jumpFrames { break }
      let jump = jump(place, of: curve)
      if jump != 0 {
        let last = min(end, begin + Curve.jumpFrames - frame)
        let offset = frame - begin
        for i in first..<last {
          values[i] += jump * (1 - Double(offset + i) / Double(Curve.jumpFrames))
        }
      }
      place -= 1
    }
  }

  /// The frame from which no jump at or before a point is heard; for a pan, the knot after it.
  @_noLocks private func quietFrame(of curve: LinkedCurve, upTo place: Int, _ frame: TimelineFrame) -> TimelineFrame {
    guard curve.hasJumps else { return .min }
    var place = place
    while place >= 1 {
      let begin = plan.points[curve.firstPoint + place].frame
      // A jump may be heard up to the knot after its last frame.
      if frame - begin >= Curve.jumpFrames + 16 { break }
      if jump(place, of: curve) != 0 {
        let end = begin + Curve.jumpFrames
        return curve.scale.isSide ? (end + 15).knot : end
      }
      place -= 1
    }
    return .min
  }

  // MARK: Points

  /// The last point of `PlanMemory.curves[index]` at or before a frame, −1 before the first. Remembered.
  @_noLocks func place(ofCurve index: Int, at frame: TimelineFrame) -> Int {
    let curve = plan.curves[index]
    let place = pointBefore(frame, of: curve, near: curve.place)
    if place != curve.place { plan.curves[index].place = place }
    return place
  }

  /// - Parameter place: where to look first, −1 … the last point.
  @_noLocks private func pointBefore(_ frame: TimelineFrame, of curve: LinkedCurve, near place: Int) -> Int {
    let points = plan.points + curve.firstPoint
    var low = 0
    var high = curve.pointCount
    if place < 0 || points[place].frame <= frame {
      // Here, or at one of the next few.
      low = place + 1
      for _ in 0..<4 {
        if low == high || points[low].frame > frame { return low - 1 }
        low += 1
      }
    } else {
      high = place
    }
    while low < high {
      let middle = (low + high) / 2
      if points[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}

extension FrameNumber where Kind == FrameKind.Timeline {
  /// The last knot at or before the frame, of those that 16 divides.
  var knot: TimelineFrame { @_noLocks get { Self(number & ~15) } }
}
