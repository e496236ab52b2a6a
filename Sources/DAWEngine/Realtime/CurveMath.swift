import CSampleCodec

// Functions for the knots of curves: fast, and by +, −, × and √ alone, so that every machine gives the same bits. In C, so
// that many knots at once have the same formulas.

/// 2ˣ, within 2 × 10⁻¹⁵ of it, relatively.
/// - Parameter x: clamped to −1,000 … 1,000.
@_noLocks func powerOfTwo(_ x: Double) -> Double { daw_power_of_two(x) }

extension Curve.PanLaw {
  /// The gain of a side.
  /// - Parameter share: u, 0 … 1; clamped.
  @_noLocks func gain(_ share: Double) -> Double { daw_pan_gain(law, share) }

  var law: daw_pan_law {
    @_noLocks get {
      switch self {
      case .constantPowerMinus3dB: DAW_PAN_CONSTANT_POWER
      case .linearMinus6dB: DAW_PAN_LINEAR
      case .compromiseMinus4_5dB: DAW_PAN_COMPROMISE
      case .balance0dB: DAW_PAN_BALANCE
      }
    }
  }
}
