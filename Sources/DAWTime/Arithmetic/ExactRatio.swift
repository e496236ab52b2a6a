/// A positive fraction that integers are multiplied by, with one rounding: to the nearest, ties to even.
///
/// The fraction is kept as `whole + fraction · 2⁻⁶⁴` as well, cut off below, so that nearly every product costs one
/// multiplication. What is cut off can only matter where the product lies next to a tie; there it is divided out.
struct ExactRatio: Hashable, Sendable {
  /// Less than 2⁶³, like the denominator; reduced to lowest terms.
  private let numerator: UInt64
  private let denominator: UInt64
  private let whole: UInt64
  private let fraction: UInt64
  /// Nothing was cut off `fraction`: the denominator is a power of two.
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

  /// The fraction the other way up.
  var inverse: ExactRatio { ExactRatio(Int64(denominator), over: Int64(numerator)) }

  /// The integer nearest to `value` times the fraction, ties to even.
  /// - Parameter value: so that the product is less than 2⁶² in magnitude.
  func scaling(_ value: Int64) -> Int64 {
    let magnitude = value.magnitude
    let scaled = scaling(magnitude: magnitude)
    return value < 0 ? -Int64(scaled) : Int64(scaled)
  }

  private func scaling(magnitude: UInt64) -> UInt64 {
    let half: UInt64 = 1 << 63
    let (high, low) = magnitude.multipliedFullWidth(by: fraction)
    let floor = magnitude &* whole &+ high
    // What was cut off `fraction` makes the product too small, by less than `magnitude` in units of `low`.
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

private func greatestCommonDivisor(_ a: UInt64, _ b: UInt64) -> UInt64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return max(a, 1)
}
