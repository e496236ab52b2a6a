import DAWEngine
import DAWModel
import DAWTime

extension FrameClock {
  /// A region's gain with its fades.
  /// - Parameter start: the region's.
  func gain(of region: Region, _ span: AudioSpan, start: FlickPosition) -> Control {
    let gain = Float(ReproducibleMath.gain(decibels: region.gain.decibels))
    var curves: [Curve] = []
    let (fadeIn, fadeOut) = (region.fadeIn, region.fadeOut)
    if fadeIn.length > .zero {
      let first = start - fadeIn.cut
      curves += fade(from: first, to: first + fadeIn.length, 0, 1, Curve.Shape(fadeIn.shape))
    }
    if fadeOut.length > .zero {
      let last = start + span.duration + fadeOut.cut
      curves += fade(from: last - fadeOut.length, to: last, 1, 0, Curve.Shape(mirrored: fadeOut.shape))
    }
    return curves.isEmpty ? .constant(gain) : .curves(gain: gain, curves)
  }

  /// Nothing if it is shorter than a frame.
  private func fade(
    from first: FlickPosition, to last: FlickPosition, _ a: Double, _ b: Double, _ shape: Curve.Shape
  ) -> [Curve] {
    let (lower, upper) = (frame(at: first), frame(at: last))
    return lower < upper ? [Curve([Curve.Point(lower, a, shape), Curve.Point(upper, b)])] : []
  }
}

extension Curve.Shape {
  fileprivate init(_ shape: Fade.Shape) {
    switch shape {
    case .linear: self = .linear
    case .equalPower: self = .equalPower
    case .exponential: self = .exponential
    case .sCurve: self = .sCurve
    }
  }

  fileprivate init(mirrored shape: Fade.Shape) {
    switch shape {
    case .linear: self = .linear
    case .equalPower: self = .mirroredEqualPower
    case .exponential: self = .mirroredExponential
    case .sCurve: self = .sCurve
    }
  }
}

extension Control {
  mutating func multiply(by added: [Curve]) {
    switch self {
    case .constant(let gain): self = .curves(gain: gain, added)
    case .product(let factors): self = .product(factors + added.map(Factor.curve))
    case .ofPlanBefore(var control):
      control.multiply(by: added)
      self = .ofPlanBefore(control)
    case .passage(var from, var to):
      from.multiply(by: added)
      to.multiply(by: added)
      self = .passage(from: from, to: to)
    }
  }
}
