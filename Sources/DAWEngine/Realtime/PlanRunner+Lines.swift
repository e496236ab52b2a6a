import CSampleCodec
import DAWTime

// Gains that go straight between knots 16 frames apart: all of a stretch at once.

extension PlanRunner {
  /// Adds frames of the slice with two gains that move.
  @_noLocks func mixMoving(
    _ left: Samples, _ right: Samples, _ gains: LinkedSides, _ targetLeft: Samples, _ targetRight: Samples,
    _ first: Int, _ end: Int
  ) {
    let line = commonLine(of: gains)
    var place = first
    while place < end {
      let offset = frame + place - (frame + place).knot
      var count = end - place
      if gains.isSimple {
        if offset == 0, count >= 16 {
          let stretches = min(count / 16, LinkedCurve.mostStretches)
          let mixed = mixStretches(
            left + place, right + place, gains, line, targetLeft + place, targetRight + place, frame + place, stretches
          )
          place += 16 * mixed
          if mixed > 0 { continue }
          if line.curve >= 0,
            mixBent(left + place, right + place, gains, line, targetLeft + place, targetRight + place, frame + place)
          {
            place += 16
            continue
          }
        }
        count = min(count, 16 - offset)
      }
      multiplyCommon(gains, place, place + count)
      finish(gains.left, after: gains.commonCount, place, place + count)
      add(left + place, times: plan.gains, to: targetLeft + place, count)
      finish(gains.right, after: gains.commonCount, place, place + count)
      add(right + place, times: plan.gains, to: targetRight + place, count)
      place += count
    }
  }

  /// What both sides have in common, if that is one curve and at most one constant: a lane of the volume, say.
  private struct CommonLine {
    /// Index into `PlanMemory.curves`; −1 if it is something else.
    var curve: Int
    var constant: Double

    @_noLocks init(curve: Int, constant: Double) {
      self.curve = curve
      self.constant = constant
    }
  }

  @_noLocks private func commonLine(of gains: LinkedSides) -> CommonLine {
    let common = gains.common
    guard common.count <= 2, let first = common.first else { return CommonLine(curve: -1, constant: 1) }
    let (a, b) = (plan.factors[first], common.count == 2 ? plan.factors[first + 1] : LinkedFactor.one)
    if a.curve >= 0, b.curve < 0 { return CommonLine(curve: Int(a.curve), constant: b.constant) }
    if b.curve >= 0, a.curve < 0 { return CommonLine(curve: Int(b.curve), constant: a.constant) }
    return CommonLine(curve: -1, constant: 1)
  }

  /// The factor that a side has of its own.
  @_noLocks private func ownFactor(of control: LinkedControl, _ gains: LinkedSides) -> LinkedFactor {
    control.factorCount == gains.commonCount
      ? LinkedFactor.one : plan.factors[Int(control.firstFactor + gains.commonCount)]
  }

  /// Adds a stretch with a point inside, of one of the curves or of several.
  /// - Parameter frame: divisible by 16.
  /// - Returns: whether it did; not if there are several points, or jumps.
  @_noLocks private func mixBent(
    _ left: Samples, _ right: Samples, _ gains: LinkedSides, _ line: CommonLine, _ targetLeft: Samples,
    _ targetRight: Samples, _ frame: TimelineFrame
  ) -> Bool {
    var (common, leftLine, rightLine) = (daw_bent_line(), daw_bent_line(), daw_bent_line())
    guard bend(&common, ofCurve: line.curve, from: frame),
      bend(&leftLine, along: ownFactor(of: gains.left, gains), from: frame),
      bend(&rightLine, along: ownFactor(of: gains.right, gains), from: frame)
    else { return false }
    daw_mix_along_bent_lines(
      plan.path, left, right, &common, line.constant, &leftLine, &rightLine, targetLeft, targetRight)
    return true
  }

  @_noLocks private func bend(
    _ line: inout daw_bent_line, along factor: LinkedFactor, from frame: TimelineFrame
  ) -> Bool {
    if factor.curve >= 0 { return bend(&line, ofCurve: Int(factor.curve), from: frame) }
    line.value = factor.constant
    line.step = 0
    line.bend = 16
    return true
  }

  /// Adds as many stretches as go straight from knot to knot.
  /// - Parameters:
  ///   - line: what both sides have in common, if it is a line.
  ///   - frame: divisible by 16.
  ///   - count: 1 … `mostStretches`.
  /// - Returns: how many; 0 if something lies between the first two knots.
  @_noLocks private func mixStretches(
    _ left: Samples, _ right: Samples, _ gains: LinkedSides, _ line: CommonLine, _ targetLeft: Samples,
    _ targetRight: Samples, _ frame: TimelineFrame, _ count: Int
  ) -> Int {
    let room = LinkedCurve.knotRoom
    let (leftKnots, rightKnots, knots) = (plan.knots, plan.knots + room, plan.knots + 2 * room)
    let (leftFactor, rightFactor) = (ownFactor(of: gains.left, gains), ownFactor(of: gains.right, gains))
    var count = count
    if leftFactor.curve >= 0 { count = fillKnots(leftKnots, ofCurve: Int(leftFactor.curve), from: frame, count) }
    if rightFactor.curve >= 0 { count = fillKnots(rightKnots, ofCurve: Int(rightFactor.curve), from: frame, count) }
    if line.curve >= 0 {
      count = fillKnots(knots, ofCurve: line.curve, from: frame, count)
      guard count > 0 else { return 0 }
      daw_mix_along_common_line(
        plan.path, left, right, count, knots, line.constant, leftFactor.curve >= 0 ? UnsafePointer(leftKnots) : nil,
        rightFactor.curve >= 0 ? UnsafePointer(rightKnots) : nil, leftFactor.constant, rightFactor.constant, targetLeft,
        targetRight)
      return count
    }
    let products = plan.products
    var constant = 1.0
    var hasValues = false
    for index in gains.common {
      let factor = plan.factors[index]
      guard factor.curve >= 0 else {
        // The first product of a constant and a curve is the same in both orders.
        if hasValues { scale(products, by: factor.constant, 16 * count) } else { constant *= factor.constant }
        continue
      }
      count = fillKnots(knots, ofCurve: Int(factor.curve), from: frame, count)
      guard count > 0 else { return 0 }
      if hasValues {
        daw_multiply_by_lines(plan.path, knots, count, products)
      } else {
        daw_fill_lines(plan.path, knots, count, products)
        scale(products, by: constant, 16 * count)
        hasValues = true
      }
    }
    if !hasValues { products.update(repeating: constant, count: 16 * count) }
    guard count > 0 else { return 0 }
    daw_mix_along_lines(
      plan.path, left, right, count, products, leftFactor.curve >= 0 ? UnsafePointer(leftKnots) : nil,
      rightFactor.curve >= 0 ? UnsafePointer(rightKnots) : nil, leftFactor.constant, rightFactor.constant, targetLeft,
      targetRight)
    return count
  }

  @_noLocks private func scale(_ products: UnsafeMutablePointer<Double>, by factor: Double, _ count: Int) {
    guard factor != 1 else { return }
    for i in 0..<count { products[i] *= factor }
  }
}
