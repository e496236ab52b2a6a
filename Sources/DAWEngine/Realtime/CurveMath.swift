import CSampleCodec

// Functions for the knots of curves: fast, and by +, −, × and √ alone, so that every machine gives the same bits.

/// 2ˣ, within 2 × 10⁻¹⁵ of it, relatively.
/// - Parameter x: clamped to −1,000 … 1,000.
@_noLocks func powerOfTwo(_ x: Double) -> Double {
  let x = min(max(x, -1_000), 1_000)
  // Adding and subtracting 1.5 × 2⁵² rounds to the nearest integer.
  let exponent = (x + 6_755_399_441_055_744) - 6_755_399_441_055_744
  let y = (x - exponent) * 0.6931471805599453
  // 1 + y + y²/2! + … + y¹³/13!
  let a = 1.0 / 5_040 + y * (1.0 / 40_320 + y * (1.0 / 362_880 + y * (1.0 / 3_628_800)))
  let y4 = y * y * y * y
  let b = 1.0 / 39_916_800 + y * (1.0 / 479_001_600 + y * (1.0 / 6_227_020_800))
  let c = 1.0 / 6 + y * (1.0 / 24 + y * (1.0 / 120 + y * (1.0 / 720)))
  let power = 1 + y * (1 + y * (0.5 + y * (c + y4 * (a + y4 * b))))
  return power * Double(bitPattern: UInt64(Int64(exponent) + 1_023) << 52)
}

extension Curve.PanLaw {
  /// The gain of a side.
  /// - Parameter share: u, 0 … 1; clamped.
  @_noLocks func gain(_ share: Double) -> Double {
    let u = min(max(share, 0), 1)
    switch self {
    case .constantPowerMinus3dB: return sine(u)
    case .linearMinus6dB: return u
    case .compromiseMinus4_5dB: return daw_square_root(u * sine(u))
    case .balance0dB: return min(1, 2 * u)
    }
  }

  /// sin(πu/2) for u from 0 to 1, within 10⁻¹⁵.
  @_noLocks private func sine(_ u: Double) -> Double {
    let t = u * (Double.pi / 2)
    let s = t * t
    // t − t³/3! + t⁵/5! − … + t²¹/21!
    let a = 1.0 / 120 - s * (1.0 / 5_040 - s * (1.0 / 362_880 - s * (1.0 / 39_916_800)))
    let b =
      1.0 / 6_227_020_800
      - s * (1.0 / 1_307_674_368_000 - s * (1.0 / 355_687_428_096_000 - s * (1.0 / 121_645_100_408_832_000)))
    let s4 = s * s * s * s
    let c = 1.0 / 51_090_942_171_709_440_000
    return min(1, t * (1 - s * (1.0 / 6 - s * (a + s4 * (b + s4 * c)))))
  }
}
