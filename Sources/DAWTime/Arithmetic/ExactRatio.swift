/// A positive fraction by which integers are multiplied with a single rounding: to nearest, ties to even.
///
/// The fraction is also stored as `whole + fraction · 2⁻⁶⁴`, truncated, so that nearly every product costs one
/// multiplication. The truncation only matters if the product is close to a tie; then it is computed by division.
struct ExactRatio: Hashable, Sendable {
  /// Less than 2⁶³, like the denominator; reduced to lowest terms.
  private let numerator: UInt64
  private let denominator: UInt64
  private let whole: UInt64
  private let fraction: UInt64
  /// Whether `fraction` is exact: the denominator is a power of two.
  private let isFractionExact: Bool

  /// - Parameters: both at least 1.
  init(_ numerator: Int64, over denominator: Int64) {
    let common = greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
    self.numerator = numerator.magnitude / common
    self.denominator = denominator.magnitude / common
    let (whole, rest) = self.numerator.quotientAndRemainder(dividingBy: self.denominator)
    let (fraction, remainder) = self.denominator.dividingFullWidth((rest, 0))
    self.whole = whole
    self.fraction = fraction
    self.isFractionExact = remainder == 0
  }

  /// The reciprocal.
  var inverse: ExactRatio { ExactRatio(Int64(denominator), over: Int64(numerator)) }

  /// The integer nearest to `value` times the fraction, ties to even.
  /// - Parameter value: such that the product is less than 2⁶² in magnitude.
  func scaling(_ value: Int64) -> Int64 {
    let magnitude = value.magnitude
    let scaled = scaling(magnitude: magnitude)
    return value < 0 ? -Int64(scaled) : Int64(scaled)
  }

  private func scaling(magnitude: UInt64) -> UInt64 {
    let half: UInt64 = 1 << 63
    let (high, low) = magnitude.multipliedFullWidth(by: fraction)
    let floor = magnitude &* whole &+ high
    // The truncation of `fraction` makes the product too small by less than `magnitude`, in units of `low`.
    if low > half { return floor &+ 1 }
    if isFractionExact { return low == half ? floor &+ (floor & 1) : floor }
    return low < half &- min(magnitude, half) ? floor : dividingOut(magnitude)
  }

  private func dividingOut(_ magnitude: UInt64) -> UInt64 {
    let product = UInt128(magnitude) * UInt128(numerator)
    let (quotient, remainder) = product.quotientAndRemainder(dividingBy: UInt128(denominator))
    let floor = UInt64(quotient)
    let twice = 2 * remainder
    return twice > denominator || (twice == denominator && !floor.isMultiple(of: 2)) ? floor + 1 : floor
  }
}

/// - Returns: at least 1, also of two zeros.
package func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(a, 1)
}
