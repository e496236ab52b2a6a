/// Elementary functions that give the same bits on every machine, because they only use +, −, ×, ÷ and square root,
/// which IEEE 754 rounds correctly, in a fixed order. `exp`, `log` and `sin` differ between C libraries and processors.
/// Results are within about one unit in the last place.
///
/// For control threads: not fast enough for single samples.
public enum ReproducibleMath {
  /// eˣ. 0 below −746, infinity above 709.8.
  public static func exp(_ x: Double) -> Double {
    guard x < 710 else { return x.isNaN ? x : .infinity }
    guard x > -746 else { return x.isNaN ? x : 0 }
    let exponent = (x * 1.4426950408889634).rounded(.toNearestOrEven)
    let high = x - exponent * ln2High
    return scale(expNearZero(high, -(exponent * ln2Low)), byPowerOfTwo: Int(exponent))
  }

  /// 10ˣ. 0 below −324, infinity above 308.3.
  public static func exp10(_ x: Double) -> Double {
    guard x < 309 else { return x.isNaN ? x : .infinity }
    guard x > -325 else { return x.isNaN ? x : 0 }
    let exponent = (x * 3.321928094887362).rounded(.toNearestOrEven)
    let rest = (x - exponent * log10Of2High) - exponent * log10Of2Low
    return scale(expNearZero(rest * ln10, 0), byPowerOfTwo: Int(exponent))
  }

  /// The natural logarithm. −infinity at 0, NaN below.
  public static func log(_ x: Double) -> Double {
    guard x > 0, x < .infinity else { return x == 0 ? -.infinity : x > 0 ? x : .nan }
    var exponent = x.exponent
    var significand = x.significand
    if significand > 1.4142135623730951 {
      significand /= 2
      exponent += 1
    }
    // ln(1 + f) = f − f²/2 + s · (f²/2 + r), with s = f / (2 + f) and 2s + s·r = ln(1 + f): the large terms are exact.
    let f = significand - 1
    let s = f / (2 + f)
    let square = s * s
    let r = 2 * square * areaTangentSeries(square)
    let halfSquare = 0.5 * f * f
    let power = Double(exponent)
    return power * ln2High - ((halfSquare - (s * (halfSquare + r) + power * ln2Low)) - f)
  }

  /// ln(1 + u) / u for u > −1, and 1 at u = 0, without the cancellation of the quotient as written.
  static func logOfOnePlusOverItself(_ u: Double) -> Double {
    guard abs(u) < 0.25 else { return log(1 + u) / u }
    let s = u / (2 + u)
    let square = s * s
    return 2 / (2 + u) * (1 + square * areaTangentSeries(square))
  }

  // ln 2 and log₁₀ 2 in two parts, the first with so few digits that its product with an exponent is exact.
  private static let ln2High = 0x1.62e42fee00000p-1
  private static let ln2Low = 0x1.a39ef35793c76p-33
  private static let log10Of2High = 0x1.3441350800000p-2
  private static let log10Of2Low = 0x1.f79fef311f12bp-34
  private static let ln10 = 0x1.26bb1bbb55516p+1

  /// (artanh(s) / s − 1) / s², from s² up to 0.03: 1/3 + s²/5 + s⁴/7 + …
  private static func areaTangentSeries(_ square: Double) -> Double {
    let fourth = square * square
    let a: Double = 1.0 / 3 + square * (1.0 / 5) + fourth * (1.0 / 7 + square * (1.0 / 9))
    let b: Double = 1.0 / 11 + square * (1.0 / 13) + fourth * (1.0 / 15 + square * (1.0 / 17))
    let c: Double = 1.0 / 19 + square * (1.0 / 21) + fourth * (1.0 / 23)
    let eighth = fourth * fourth
    return a + eighth * (b + eighth * c)
  }

  /// e to the power of high + low, for |high| up to 0.35 and a much smaller low.
  private static func expNearZero(_ high: Double, _ low: Double) -> Double {
    let x = high + low
    let lost = (high - x) + low
    // x²/2! + x³/3! + … + x¹⁴/14!
    var sum = 1.0
    for divisor in (3...14).reversed() { sum = 1 + x / Double(divisor) * sum }
    return 1 + (x + (0.5 * x * x * sum + lost))
  }

  private static func scale(_ value: Double, byPowerOfTwo exponent: Int) -> Double {
    // Scaled in two steps, so that neither power of two overflows when the result is subnormal or close to infinity.
    let first = exponent / 2
    return value * Double(sign: .plus, exponent: first, significand: 1)
      * Double(sign: .plus, exponent: exponent - first, significand: 1)
  }
}
