import CSampleCodec

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
