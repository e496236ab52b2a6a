/// Dither for rounding samples to integers.
public enum Dither: String, Hashable, Sendable, CaseIterable {
  case none
  /// Triangular probability density, ±1 step.
  case triangular = "tpdf"
}

/// TPDF dither: noise of ±1 step with triangular probability density, added before rounding so that the error does not
/// depend on the signal. It is computed from a sample's position alone, so that the same bounce gives the same bits.
///
/// - SeeAlso: S. P. Lipshitz, R. A. Wannamaker, J. Vanderkooy, Quantization and Dither: A Theoretical Survey, JAES 40
///   (5), 1992, on the density; G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number Generators,
///   OOPSLA 2014, on the mixing.
public struct TriangularDither: Hashable, Sendable {
  public init() {}

  /// - Returns: more than −1 and less than 1, in steps.
  @inline(__always)
  public func value(frame: Int64, channel: Int) -> Double {
    var bits =
      UInt64(bitPattern: frame) &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(truncatingIfNeeded: channel + 1)
      &* 0xd1b5_4a32_d192_ed03
    bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
    bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
    bits ^= bits >> 31
    // The difference of two independent uniform numbers.
    let first = Double(UInt32(truncatingIfNeeded: bits))
    let second = Double(UInt32(truncatingIfNeeded: bits >> 32))
    return (first - second) * 0x1p-32
  }
}
