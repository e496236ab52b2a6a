extension ReproducibleMath {
  /// The linear gain of a level, 10^(dB / 20). Exactly 1 at 0 dB, and 0 at −infinity.
  public static func gain(decibels: Double) -> Double { exp10(decibels / 20) }

  /// The level of a linear gain ≥ 0 in dB, 20 · log₁₀(gain). Exactly 0 at 1, and −infinity at 0.
  public static func decibels(gain: Double) -> Double { 20 * (log(gain) * 0.4342944819032518) }
}
