import DAWTime

// Values of controls: constants, and products of curves.

/// How a control goes on from a frame.
struct GainSpan {
  /// Whether it has one value throughout.
  var isResting: Bool
  /// That value.
  var gain: Float
  /// The frame where it ends.
  var end: TimelineFrame
}

extension PlanRunner {
  /// A control's value at each of `count` frames of the slice.
  /// - Parameters:
  ///   - place: the first frame's index in the slice.
  ///   - frame: its timeline frame.
  ///   - earlierFrame: its frame on the timeline of the plan before, for a control of that one.
  ///   - count: 1 … the linked plan's `maximumFrames`.
  @_noLocks func evaluate(
    _ control: LinkedControl, at place: Int, frame: TimelineFrame, earlierFrame: TimelineFrame, _ count: Int,
    into gains: UnsafeMutablePointer<Float>
  ) {
    evaluate(control, frame: control.isOfPlanBefore ? earlierFrame : frame, count, into: gains)
    guard control.earlier >= 0 else { return }
    let earlier = plan.earlierGains
    evaluate(plan.controls[Int(control.earlier)], frame: earlierFrame, count, into: earlier)
    for i in 0..<count {
      let share = Float(passed + place + i) * (1 / Float(Passage.frameCount))
      gains[i] = earlier[i] + (gains[i] - earlier[i]) * share
    }
  }

  @_noLocks private func evaluate(
    _ control: LinkedControl, frame: TimelineFrame, _ count: Int, into gains: UnsafeMutablePointer<Float>
  ) {
    if control.factorCount == 0 { return gains.update(repeating: control.constant, count: count) }
    let products = plan.products
    let computed = isHeld ? 1 : count
    products.update(repeating: 1, count: computed)
    multiply(products, by: control.factors, frame: frame, computed)
    for i in 0..<computed { gains[i] = Float(products[i]) }
    if isHeld { gains.update(repeating: gains[0], count: count) }
  }

  @_noLocks private func multiply(
    _ products: UnsafeMutablePointer<Double>, by factors: Range<Int>, frame: TimelineFrame, _ count: Int
  ) {
    for index in factors {
      let factor = plan.factors[index]
      if factor.curve >= 0 {
        multiply(products, byCurve: Int(factor.curve), frame: frame, count)
      } else if factor.constant != 1 {
        for i in 0..<count { products[i] *= factor.constant }
      }
    }
  }

  /// The product of the factors that both sides have in common, at frames of the slice, into `plan.products` from its
  /// beginning. Not in a passage.
  @_noLocks func multiplyCommon(_ gains: LinkedSides, _ first: Int, _ end: Int) {
    let begin = Int(gains.left.firstFactor)
    plan.products.update(repeating: 1, count: end - first)
    multiply(
      plan.products, by: begin..<begin + Int(gains.commonCount), frame: frame + first, end - first)
  }

  /// One side's gains, into `plan.gains`: what `multiplyCommon` left times the other factors.
  @_noLocks func finish(_ control: LinkedControl, after commonCount: Int32, _ first: Int, _ end: Int) {
    let (gains, common, count) = (plan.gains, plan.products, end - first)
    let begin = Int(control.firstFactor + commonCount)
    let rest = begin..<Int(control.firstFactor + control.factorCount)
    if rest.isEmpty {
      for i in 0..<count { gains[i] = Float(common[i]) }
    } else if rest.count == 1, plan.factors[begin].curve < 0 {
      let constant = plan.factors[begin].constant
      for i in 0..<count { gains[i] = Float(common[i] * constant) }
    } else {
      let products = plan.sideProducts
      for i in 0..<count { products[i] = common[i] }
      multiply(products, by: rest, frame: frame + first, count)
      for i in 0..<count { gains[i] = Float(products[i]) }
    }
  }

  /// Whether a control rests from a frame on, at which value, and up to which frame it rests or moves.
  @_noLocks func span(of control: LinkedControl, from frame: TimelineFrame) -> GainSpan {
    if control.isConstant { return GainSpan(isResting: true, gain: control.constant, end: .max) }
    if control.isOfPassage { return GainSpan(isResting: false, gain: 0, end: .max) }
    if isHeld {
      evaluate(control, frame: self.frame, 1, into: plan.gains)
      return GainSpan(isResting: true, gain: plan.gains[0], end: .max)
    }
    var product = 1.0
    var restEnd = TimelineFrame.max
    var moveEnd = TimelineFrame.min
    for index in control.factors {
      let factor = plan.factors[index]
      if factor.curve < 0 {
        product *= factor.constant
        continue
      }
      let span = span(ofCurve: Int(factor.curve), from: frame)
      if span.isResting {
        product *= span.value
        restEnd = min(restEnd, span.end)
      } else {
        moveEnd = max(moveEnd, span.end)
      }
    }
    if moveEnd > .min { return GainSpan(isResting: false, gain: 0, end: moveEnd) }
    return GainSpan(isResting: true, gain: Float(product), end: restEnd)
  }
}
