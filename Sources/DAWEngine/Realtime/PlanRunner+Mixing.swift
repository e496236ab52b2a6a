import CSampleCodec
import DAWTime

// Steps that multiply by controls.

extension PlanRunner {
  /// Whether the step's pieces can be added directly to the target of the mix behind it, into `fused`: while that one's
  /// gains rest.
  @_noLocks func fuse(_ mix: FusedMix) -> Bool {
    fused = mix
    guard mix.isMoving else { return true }
    guard case .mix(_, _, _, let index) = plan.steps[step + 1] else { return false }
    let gains = plan.sides[index]
    let end = frame + frameCount
    let left = span(of: gains.left, from: frame)
    guard left.isResting, left.end >= end else { return false }
    let right = span(of: gains.right, from: frame)
    guard right.isResting, right.end >= end else { return false }
    (fused.left, fused.right) = (left.gain, right.gain)
    return true
  }

  @_noLocks func mix(_ source: Int, isStereo: Bool, into target: Int, _ leftGain: Float, _ rightGain: Float) {
    guard !plan.isSilent[source] else { return }
    open(target)
    daw_mix(
      plan.path, side(source, 0), side(source, isStereo ? 1 : 0), frameCount, leftGain, rightGain, side(target, 0),
      side(target, 1))
  }

  @_noLocks func mix(_ source: Int, isStereo: Bool, into target: Int, _ gains: LinkedSides) {
    guard !plan.isSilent[source] else { return }
    open(target)
    let left = side(source, 0)
    let right = isStereo ? side(source, 1) : left
    let (targetLeft, targetRight) = (side(target, 0), side(target, 1))
    var first = 0
    while first < frameCount {
      let leftSpan = span(of: gains.left, from: frame + first)
      let rightSpan = span(of: gains.right, from: frame + first)
      let end = index(of: min(leftSpan.end, rightSpan.end))
      if !leftSpan.isResting, !rightSpan.isResting, gains.commonCount > 0 {
        mixMoving(left, right, gains, targetLeft, targetRight, first, end)
      } else {
        add(left, times: gains.left, leftSpan, to: targetLeft, first, end)
        add(right, times: gains.right, rightSpan, to: targetRight, first, end)
      }
      first = end
    }
  }

  @_noLocks private func add(
    _ samples: Samples, times control: LinkedControl, _ span: GainSpan, to target: Samples, _ first: Int, _ end: Int
  ) {
    if span.isResting {
      if span.gain != 0 { DAWEngine.add(samples + first, times: span.gain, to: target + first, end - first) }
    } else {
      evaluate(control, first, end)
      DAWEngine.add(samples + first, times: plan.gains, to: target + first, end - first)
    }
  }

  /// Applies a strip's trim, polarity and width.
  @_noLocks func shape(_ buffer: Int, isStereo: Bool, _ shape: LinkedShape) {
    guard !plan.isSilent[buffer] else { return }
    let (left, right) = (side(buffer, 0), side(buffer, 1))
    var first = 0
    while first < frameCount {
      let span = span(of: shape.trim, from: frame + first)
      let end = index(of: span.end)
      if !span.isResting { evaluate(shape.trim, first, end) }
      scale(left, span, isInverted: shape.invertsLeft, first, end)
      if isStereo { scale(right, span, isInverted: shape.invertsRight, first, end) }
      first = end
    }
    if isStereo, shape.hasWidth { widen(left, right, shape.stereoWidth) }
  }

  /// Scales samples by a span's gain, or by what `plan.gains` holds.
  @_noLocks private func scale(
    _ samples: Samples, _ span: GainSpan, isInverted: Bool, _ first: Int, _ end: Int
  ) {
    if !span.isResting {
      DAWEngine.scale(samples + first, by: plan.gains, end - first)
    } else if span.gain != 1 {
      DAWEngine.scale(samples + first, by: span.gain, end - first)
    }
    if isInverted { invert(samples + first, end - first) }
  }

  @_noLocks private func widen(_ left: Samples, _ right: Samples, _ width: LinkedControl) {
    var first = 0
    while first < frameCount {
      let span = span(of: width, from: frame + first)
      let end = index(of: span.end)
      if span.isResting {
        if span.gain != 1 {
          DAWEngine.widen(left + first, right + first, halfWidth: span.gain * 0.5, end - first)
        }
      } else {
        evaluate(width, first, end)
        DAWEngine.widen(left + first, right + first, widths: plan.gains, end - first)
      }
      first = end
    }
  }

  @_noLocks func output(_ buffer: Int, _ gains: LinkedSides) {
    open(buffer)
    outputBuffer = buffer
    scale(side(buffer, 0), by: gains.left)
    scale(side(buffer, 1), by: gains.right)
  }

  @_noLocks private func scale(_ samples: Samples, by control: LinkedControl) {
    var first = 0
    while first < frameCount {
      let span = span(of: control, from: frame + first)
      let end = index(of: span.end)
      if !span.isResting { evaluate(control, first, end) }
      scale(samples, span, isInverted: false, first, end)
      first = end
    }
  }

  /// A control's values at frames of the slice, into `plan.gains` from its beginning.
  @_noLocks func evaluate(_ control: LinkedControl, _ first: Int, _ end: Int) {
    let now = frame + first
    evaluate(control, at: first, frame: now, earlierFrame: now + earlierOffset, end - first, into: plan.gains)
  }

  /// The index in the slice of a timeline frame; at most `frameCount`.
  @_noLocks private func index(of frame: TimelineFrame) -> Int {
    frame >= self.frame + frameCount ? frameCount : frame - self.frame
  }
}
