// Values of controls: constants, and products of curves.

extension PlanRunner {
  /// A control's value at each of `count` frames of the slice.
  /// - Parameters:
  ///   - place: the first frame's index in the slice.
  ///   - frame: its timeline frame.
  ///   - earlierFrame: its timeline frame for the control that a passage leads from.
  ///   - count: 1 … the linked plan's `maximumFrames`.
  @_noLocks func evaluate(
    _ control: LinkedControl, at place: Int, frame: Int64, earlierFrame: Int64, _ count: Int,
    into gains: UnsafeMutablePointer<Float>
  ) {
    evaluate(control, frame: frame, count, into: gains)
    guard control.earlier >= 0 else { return }
    let earlier = plan.earlierGains
    evaluate(plan.controls[Int(control.earlier)], frame: earlierFrame, count, into: earlier)
    for i in 0..<count {
      let share = Float(passed + place + i) * (1 / Float(Passage.frameCount))
      gains[i] = earlier[i] + (gains[i] - earlier[i]) * share
    }
  }

  @_noLocks private func evaluate(
    _ control: LinkedControl, frame: Int64, _ count: Int, into gains: UnsafeMutablePointer<Float>
  ) {
    if control.curveCount == 0 { return gains.update(repeating: control.constant, count: count) }
    let products = plan.products
    products.update(repeating: Double(control.constant), count: count)
    for index in control.curves { multiply(products, by: plan.curves[index], frame: frame, count) }
    for i in 0..<count { gains[i] = Float(products[i]) }
  }

  /// Whether a control has its `constant` from a frame on, and the frame up to which that is so.
  @_noLocks func span(of control: LinkedControl, from frame: Int64) -> (isConstant: Bool, end: Int64) {
    guard control.earlier < 0 else { return (false, .max) }
    var span = (isConstant: true, end: Int64.max)
    for index in control.curves {
      let curve = plan.curves[index]
      let points = plan.points + curve.firstPoint
      let place = pointBefore(frame, of: curve)
      let hasNext = place + 1 < curve.pointCount
      if hasNext { span.end = min(span.end, points[place + 1].frame) }
      let isFlat = place < 0 || !hasNext || points[place + 1].value == points[place].value
      if !isFlat || points[max(0, place)].value != 1 { span.isConstant = false }
    }
    return span
  }

  @_noLocks private func multiply(
    _ products: UnsafeMutablePointer<Double>, by curve: LinkedCurve, frame: Int64, _ count: Int
  ) {
    let points = plan.points + curve.firstPoint
    var place = pointBefore(frame, of: curve)
    var done = 0
    while done < count {
      let now = frame + Int64(done)
      while place + 1 < curve.pointCount, points[place + 1].frame <= now { place += 1 }
      let isLast = place + 1 == curve.pointCount
      let end = isLast ? count : Int(min(points[place + 1].frame - frame, Int64(count)))
      if place < 0 || isLast || points[place].value == points[place + 1].value {
        let value = points[max(0, place)].value
        if value != 1 { for i in done..<end { products[i] *= value } }
        done = end
      } else {
        multiply(products, from: points[place], to: points[place + 1], frame: frame, done, end)
        done = end
      }
    }
  }

  /// - Parameters:
  ///   - first: the first frame's index, which lies between the points.
  ///   - end: the index after the last.
  @_noLocks private func multiply(
    _ products: UnsafeMutablePointer<Double>, from p: LinkedPoint, to q: LinkedPoint, frame: Int64, _ first: Int,
    _ end: Int
  ) {
    // Rounded towards negative numbers.
    var knot = max(p.frame, (frame + Int64(first)) & ~15)
    var value = self.value(at: knot, from: p, to: q)
    var i = first
    while i < end {
      let next = min(q.frame, (knot & ~15) + 16)
      let nextValue = self.value(at: next, from: p, to: q)
      let slope = (nextValue - value) / Double(next - knot)
      let last = min(end, Int(next - frame))
      while i < last {
        products[i] *= value + Double(frame + Int64(i) - knot) * slope
        i += 1
      }
      knot = next
      value = nextValue
    }
  }

  @_noLocks private func value(at knot: Int64, from p: LinkedPoint, to q: LinkedPoint) -> Double {
    if knot <= p.frame { return p.value }
    if knot >= q.frame { return q.value }
    let x = Double(knot - p.frame) / Double(q.frame - p.frame)
    return p.value + (q.value - p.value) * p.shape.value(at: x)
  }

  /// The index of the last point at or before a frame; −1 before the first.
  @_noLocks private func pointBefore(_ frame: Int64, of curve: LinkedCurve) -> Int {
    let points = plan.points + curve.firstPoint
    var low = 0
    var high = curve.pointCount
    while low < high {
      let middle = (low + high) / 2
      if points[middle].frame <= frame { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}
