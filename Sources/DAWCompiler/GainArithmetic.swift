/// Gains from levels and angles, by the four operations alone: the platform's `pow` and `cos` may differ in their last
/// bit from one system to the next.
enum GainArithmetic {
  /// 10^(decibels / 20): exactly 1 at 0 dB, 0 at −∞.
  static func gain(decibels: Double) -> Double {
    guard decibels > -.infinity else { return 0 }
    let exponent = decibels * 0.166_096_404_744_368_12  // log₂ 10 / 20
    let whole = exponent.rounded()
    let rest = (exponent - whole) * 0.693_147_180_559_945_3  // ln 2
    // The series of eʳ, |r| ≤ 0.35, from its smallest term on.
    var sum = 1.0
    for term in stride(from: 16.0, through: 1, by: -1) { sum = 1 + rest / term * sum }
    return sum * Double(sign: .plus, exponent: Int(whole), significand: 1)
  }

  /// The cosine of an angle of 0 … π/2.
  static func cosine(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 1.0
    for term in stride(from: 24.0, through: 2, by: -2) { sum = 1 - square / (term * (term - 1)) * sum }
    return sum
  }

  /// The sine of an angle of 0 … π/2.
  static func sine(_ angle: Double) -> Double {
    let square = angle * angle
    var sum = 1.0
    for term in stride(from: 25.0, through: 3, by: -2) { sum = 1 - square / (term * (term - 1)) * sum }
    return angle * sum
  }
}
