// The functions that effects need, by +, −, ×, ÷ and exact scaling of exponents alone, so that every machine gives the
// same bits. Never the platform's.

import CSampleCodec

/// Two sides, left and right.
typealias Sides = SIMD2<Double>

/// 2^x, within 2 × 10⁻¹⁵ of itself; exact for whole numbers. Beyond ±1,000 as at ±1,000.
@_noLocks func exp2(_ x: Double) -> Double { daw_power_of_two(x) }

/// log₂ x, within 10⁻¹³, for a normal number x > 0.
@_noLocks func log2(_ x: Double) -> Double { daw_logarithm(x) }

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
