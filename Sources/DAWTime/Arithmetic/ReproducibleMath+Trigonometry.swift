/// Sine and cosine in the first quadrant, for pan laws.
extension ReproducibleMath {
  /// Cosine and sine of `share` × π/2: exactly 1 and 0 at 0, √½ both at ½, 0 and 1 at 1, and symmetric: each is the
  /// other at 1 − `share`.
  /// - Parameter share: 0 … 1; clamped.
  public static func quarterTurn(_ share: Double) -> (cosine: Double, sine: Double) {
    let share = min(max(share, 0), 1)
    if share == 0.5 { return (0.5.squareRoot(), 0.5.squareRoot()) }
    guard share < 0.5 else {
      let mirrored = quarterTurn(1 - share)
      return (mirrored.sine, mirrored.cosine)
    }
    let angle = share * (.pi / 2)
    return (cosNearZero(angle), sinNearZero(angle))
  }

  /// The sine, for 0 ≤ x ≤ π/4.
  private static func sinNearZero(_ x: Double) -> Double {
    let square = x * x
    // 1 − x²/(4·5) · (1 − x²/(6·7) · …)
    var sum = 1.0
    for n in stride(from: 18, through: 4, by: -2) { sum = 1 - square / Double(n * (n + 1)) * sum }
    return x - x * square / 6 * sum
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
