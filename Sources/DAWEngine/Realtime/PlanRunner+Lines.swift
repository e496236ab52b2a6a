import CSampleCodec
import DAWTime

// Gains that go straight between knots 16 frames apart: all of a stretch at once.

extension PlanRunner {
  /// Adds frames of the slice with two gains that move.
  @_noLocks func mixMoving(
    _ left: Samples, _ right: Samples, _ gains: LinkedSides, _ targetLeft: Samples, _ targetRight: Samples,
    _ first: Int, _ end: Int
  ) {
    let isSimple =
      gains.left.factorCount - gains.commonCount == 1 && gains.right.factorCount - gains.commonCount == 1
    var place = first
    while place < end {
      let offset = frame + place - (frame + place).knot
      var count = end - place
      if isSimple {
        if offset == 0, count >= 16 {
          let stretches = min(count / 16, LinkedCurve.mostStretches)
          let mixed = mixStretches(
            left + place, right + place, gains, targetLeft + place, targetRight + place, frame + place, stretches
          )
          place += 16 * mixed
          if mixed > 0 { continue }
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

  /// Adds as many stretches as go straight from knot to knot.
  /// - Parameters:
  ///   - frame: divisible by 16.
  ///   - count: 1 … `mostStretches`.
  /// - Returns: how many; 0 if something lies between the first two knots.
  @_noLocks private func mixStretches(
    _ left: Samples, _ right: Samples, _ gains: LinkedSides, _ targetLeft: Samples, _ targetRight: Samples,
    _ frame: TimelineFrame, _ count: Int
  ) -> Int {
    let room = LinkedCurve.mostStretches + 1
    let (leftKnots, rightKnots, knots) = (plan.knots, plan.knots + room, plan.knots + 2 * room)
    let (leftFactor, rightFactor) = (plan.factors[gains.lastLeft], plan.factors[gains.lastRight])
    var count = count
    if leftFactor.curve >= 0 { count = fillKnots(leftKnots, ofCurve: Int(leftFactor.curve), from: frame, count) }
    if rightFactor.curve >= 0 { count = fillKnots(rightKnots, ofCurve: Int(rightFactor.curve), from: frame, count) }
    let products = plan.products
    var constant = 1.0
    var hasValues = false
    for index in Int(gains.left.firstFactor)..<gains.lastLeft {
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
