/// Sine and cosine in the first quadrant, for pan laws. At π/4 both are the same number, √½.
extension ReproducibleMath {
  /// The sine of an angle.
  /// - Parameter x: radians, 0 … π/2; clamped.
  public static func sin(_ x: Double) -> Double {
    let x = min(max(x, 0), .pi / 2)
    if x == .pi / 4 { return rootOfHalf }
    return x < .pi / 4 ? sinNearZero(x, 0) : cosNearZero(complement(x))
  }

  /// The cosine of an angle.
  /// - Parameter x: radians, 0 … π/2; clamped.
  public static func cos(_ x: Double) -> Double {
    let x = min(max(x, 0), .pi / 2)
    if x == .pi / 4 { return rootOfHalf }
    return x < .pi / 4 ? cosNearZero(x) : sinNearZero(.pi / 2 - x, halfPiLow)
  }

  /// Cosine and sine of `share` × π/2: exactly 1 and 0 at 0, √½ both at ½, 0 and 1 at 1, and symmetric: each is the
  /// other at 1 − `share`.
  /// - Parameter share: 0 … 1; clamped.
  public static func quarterTurn(_ share: Double) -> (cosine: Double, sine: Double) {
    let share = min(max(share, 0), 1)
    if share == 0.5 { return (rootOfHalf, rootOfHalf) }
    guard share < 0.5 else {
      let mirrored = quarterTurn(1 - share)
      return (mirrored.sine, mirrored.cosine)
    }
    let angle = share * (.pi / 2)
    return (cosNearZero(angle), sinNearZero(angle, 0))
  }

  private static let rootOfHalf = 0.5.squareRoot()
  /// The rounding error of `Double.pi / 2`.
  private static let halfPiLow = 6.123233995736766e-17

  private static func complement(_ x: Double) -> Double { (.pi / 2 - x) + halfPiLow }

  /// The sine of x + low, for 0 ≤ x ≤ π/4 and a much smaller low.
  private static func sinNearZero(_ x: Double, _ low: Double) -> Double {
    let square = x * x
    // 1 − x²/(4·5) · (1 − x²/(6·7) · …)
    var sum = 1.0
    for n in stride(from: 18, through: 4, by: -2) { sum = 1 - square / Double(n * (n + 1)) * sum }
    return x + (low - x * square / 6 * sum)
  }

  /// The cosine, for 0 ≤ x ≤ π/4.
  private static func cosNearZero(_ x: Double) -> Double {
    let square = x * x
    // 1 − x²/(5·6) · (1 − x²/(7·8) · …)
    var sum = 1.0
    for n in stride(from: 19, through: 5, by: -2) { sum = 1 - square / Double(n * (n + 1)) * sum }
    let half = 0.5 * square
    let rounded = 1 - half
    // The rounding error of 1 − x²/2 is added back with the small terms.
    return rounded + (((1 - rounded) - half) + square * square / 24 * sum)
  }
}
