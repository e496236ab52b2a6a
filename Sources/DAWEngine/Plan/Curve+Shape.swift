extension Curve {
  /// s(x). A mirrored shape is 1 − s(1 − x): a fade-out that is its fade-in backwards.
  public enum Shape: BitwiseCopyable, Hashable, Sendable {
    /// 0: the value stays until the next point, where it jumps.
    case hold
    /// x
    case linear
    /// sin(πx/2)
    case equalPower
    case mirroredEqualPower
    /// (e⁴ˣ − 1) / (e⁴ − 1)
    case exponential
    case mirroredExponential
    /// x²(3 − 2x), its own mirror image.
    case sCurve

    var isHold: Bool { @_noLocks get { if case .hold = self { true } else { false } } }
  }
}

extension Curve.Shape {
  /// s(x), for x from 0 to 1, within 10⁻¹⁴. By +, −, × and ÷ alone, so that every machine gives the same bits.
  @_noLocks func value(at x: Double) -> Double {
    switch self {
    case .hold: 0
    case .linear: x
    case .equalPower: sineOfQuarterTurn(x)
    case .mirroredEqualPower: 1 - sineOfQuarterTurn(1 - x)
    case .exponential: exponentialRise(x)
    case .mirroredExponential: 1 - exponentialRise(1 - x)
    case .sCurve: x * x * (3 - 2 * x)
    }
  }
}

/// sin(πx/2) for x from 0 to 1: t − t³/3! + t⁵/5! − … + t²¹/21!
@_noLocks private func sineOfQuarterTurn(_ x: Double) -> Double {
  let t = x * (Double.pi / 2)
  let u = t * t
  let a = 1 - u / 342 * (1 - u / 420)
  let b = 1 - u / 156 * (1 - u / 210 * (1 - u / 272 * a))
  return t * (1 - u / 6 * (1 - u / 20 * (1 - u / 42 * (1 - u / 72 * (1 - u / 110 * b)))))
}

/// (e⁴ˣ − 1) / (e⁴ − 1) for x from 0 to 1, with e⁴ˣ = (e^(x/4))¹⁶.
@_noLocks private func exponentialRise(_ x: Double) -> Double {
  let y = x / 4
  // y + y²/2! + … + y¹¹/11!
  let a = 1 + y / 7 * (1 + y / 8 * (1 + y / 9 * (1 + y / 10 * (1 + y / 11))))
  let rise = y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5 * (1 + y / 6 * a)))))
  // (1 + r)² − 1 = r × (2 + r), four times, so that nothing cancels near 0.
  let second = rise * (2 + rise)
  let fourth = second * (2 + second)
  let eighth = fourth * (2 + fourth)
  return eighth * (2 + eighth) / 53.598150033144236
}
