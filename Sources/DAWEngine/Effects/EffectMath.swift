// The functions that effects need, by +, −, ×, ÷ and exact scaling of exponents alone, so that every machine gives the
// same bits. Never the platform's.

/// Two sides, left and right.
typealias Sides = SIMD2<Double>

/// The powers of ln 2 over their factorials: 2^f = Σ f^k (ln 2)^k / k!
private let exponentials:
  (
    Double, Double, Double, Double, Double, Double, Double, Double, Double, Double, Double
  ) = (
    0.693_147_180_559_945_3, 0.240_226_506_959_100_7, 0.055_504_108_664_821_58, 0.009_618_129_107_628_477,
    0.001_333_355_814_642_844_2, 0.000_154_035_303_933_816_1, 1.525_273_380_405_984e-5, 1.321_548_679_014_430_9e-6,
    1.017_808_600_923_969_8e-7, 7.054_911_620_801_12e-9, 4.445_538_271_870_811e-10
  )

/// 2^x, within 10⁻¹⁴ of itself; exact for whole numbers. Beyond ±1,000 as at ±1,000.
@_noLocks func exp2(_ x: Sides) -> Sides {
  let most = Sides(repeating: 1_000)
  let x = x.clamped(lowerBound: -most, upperBound: most)
  // Adding 1.5 × 2⁵² leaves the nearest whole number in the lowest bits.
  let shift = Sides(repeating: 0x1.8p52)
  let shifted = x + shift
  let f = x - (shifted - shift)
  let bits = unsafeBitCast(shifted, to: SIMD2<UInt64>.self)
  let exponent = (bits &- SIMD2(repeating: 0x4338_0000_0000_0000 &- 1_023)) &<< SIMD2(repeating: 52)
  let c = exponentials
  let f2 = f * f
  let f4 = f2 * f2
  let low = (1 + c.0 * f) + f2 * (c.1 + c.2 * f)
  let middle = (c.3 + c.4 * f) + f2 * (c.5 + c.6 * f)
  let high = (c.7 + c.8 * f) + f2 * (c.9 + c.10 * f)
  return (low + f4 * middle + f4 * f4 * high) * unsafeBitCast(exponent, to: Sides.self)
}

/// log₂ x, within 10⁻¹³, for a normal number x > 0.
@_noLocks func log2(_ x: Sides) -> Sides {
  // x = m × 2^k with m from √½ to √2; k, raised by 1,024, lies in the upper bits.
  let bits = unsafeBitCast(x, to: SIMD2<UInt64>.self)
  let raised = (bits &+ SIMD2(repeating: 0x4000_0000_0000_0000 &- 0x3fe6_a09e_667f_3bcd)) &>> SIMD2(repeating: 52)
  let m = unsafeBitCast(bits &- ((raised &- SIMD2(repeating: 1_024)) &<< SIMD2(repeating: 52)), to: Sides.self)
  let offset = 0x1p52
  let number = unsafeBitCast(raised | SIMD2(repeating: offset.bitPattern), to: Sides.self)
  let k = number - Sides(repeating: offset + 1_024)
  // log₂ m = 2 ÷ ln 2 × artanh s
  let s = (m - 1) / (m + 1)
  let u = s * s
  let u2 = u * u
  let low =
    (2.885_390_081_777_926_8 + 0.961_796_693_925_975_6 * u) + u2
    * (0.577_078_016_355_585_4 + 0.412_198_583_111_132_4 * u)
  let high =
    (0.320_598_897_975_325_2 + 0.262_308_189_252_538_8 * u) + u2
    * (0.221_953_083_213_686_67 + 0.192_359_338_785_195_13 * u)
  return k + s * (low + u2 * u2 * high)
}

/// 2^x, as for two sides.
@_noLocks func exp2(_ x: Double) -> Double { exp2(Sides(repeating: x)).x }

/// log₂ x, as for two sides.
@_noLocks func log2(_ x: Double) -> Double { log2(Sides(repeating: x)).x }

/// √½
var rootOfHalf: Double { @_noLocks get { 0.707_106_781_186_547_5 } }

/// What one dB is in powers of two of the gain: 1 ÷ (20 log₁₀ 2).
var octavesPerDecibel: Double { @_noLocks get { 0.166_096_404_744_368_12 } }

/// The linear gain of a level in dB, within 10⁻¹⁴ of itself; exactly 1 for 0 dB.
@_noLocks func gain(decibels: Double) -> Double { exp2(decibels * octavesPerDecibel) }

/// The sine and cosine of πx, within 10⁻¹⁵, for x from 0 to ¼.
@_noLocks private func sineAndCosine(ofHalfTurns x: Double) -> (Double, Double) {
  let t = x * Double.pi
  let u = t * t
  let a = 1 - u / 110 * (1 - u / 156 * (1 - u / 210))
  let sine = t * (1 - u / 6 * (1 - u / 20 * (1 - u / 42 * (1 - u / 72 * a))))
  let b = 1 - u / 90 * (1 - u / 132 * (1 - u / 182 * (1 - u / 240)))
  let cosine = 1 - u / 2 * (1 - u / 12 * (1 - u / 30 * (1 - u / 56 * b)))
  return (sine, cosine)
}

/// tan(πx), within 4 × 10⁻¹⁵ of itself, for x from 0 to 0.45.
@_noLocks func tangent(ofHalfTurns x: Double) -> Double {
  let isSteep = x > 0.25
  let (sine, cosine) = sineAndCosine(ofHalfTurns: isSteep ? 0.5 - x : x)
  return isSteep ? cosine / sine : sine / cosine
}

/// cos(2πx), within 10⁻¹⁵, for x from 0 to 1.
@_noLocks func cosine(ofTurns x: Double) -> Double {
  // Mirrored into the first half turn, then into its first quarter, with the sign turned.
  let half = 2 * (x > 0.5 ? 1 - x : x)
  let isNegative = half > 0.5
  let quarter = isNegative ? 1 - half : half
  let value = quarter > 0.25 ? sineAndCosine(ofHalfTurns: 0.5 - quarter).0 : sineAndCosine(ofHalfTurns: quarter).1
  return isNegative ? -value : value
}

/// What is left of a one-pole filter's distance to its target after a frame, e^(−1 ÷ (t × rate)).
/// - Parameters:
///   - milliseconds: the time constant t, in which 1 − 1/e of the way is done; > 0.
///   - rate: Hz.
@_noLocks func remainder(perFrameOf milliseconds: Double, rate: Double) -> Double {
  exp2(-1_000 * 1.442_695_040_888_963_4 / (milliseconds * rate))
}

/// The greater of two numbers, each side for itself.
@_noLocks @inline(__always) func greater(_ a: Sides, _ b: Sides) -> Sides { a.replacing(with: b, where: b .> a) }

@_noLocks @inline(__always) func magnitude(_ a: Sides) -> Sides {
  unsafeBitCast(
    unsafeBitCast(a, to: SIMD2<UInt64>.self) & SIMD2(repeating: 0x7fff_ffff_ffff_ffff), to: Sides.self)
}
