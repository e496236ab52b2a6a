import DAWModel
import DAWTime

/// The linear gains of both sides for a pan position.
struct PanGains: Hashable {
  var left: Double
  var right: Double

  /// A mono track, by a pan law. With p from −1 (left) to +1 (right) and x = (p + 1) / 2:
  ///
  /// - `constantPowerMinus3dB`: left cos(x π/2), right sin(x π/2); √½ each in the middle.
  /// - `linearMinus6dB`: left 1 − x, right x.
  /// - `compromiseMinus4_5dB`: the geometric mean of the two.
  /// - `balance0dB`: left min(1, 1 − p), right min(1, 1 + p).
  init(mono pan: Pan, law: PanLaw) {
    let position = pan.position
    let linear = PanGains(left: (1 - position) / 2, right: (1 + position) / 2)
    switch law {
    case .constantPowerMinus3dB: self = Self.constantPower(position)
    case .linearMinus6dB: self = linear
    case .compromiseMinus4_5dB:
      let power = Self.constantPower(position)
      self.init(
        left: (linear.left * power.left).squareRoot(), right: (linear.right * power.right).squareRoot())
    case .balance0dB: self.init(stereo: pan)
    }
  }

  /// A stereo track's balance, independent of the pan law: the side opposite to p falls linearly, the other is
  /// unchanged.
  init(stereo pan: Pan) { self.init(left: min(1, 1 - pan.position), right: min(1, 1 + pan.position)) }

  private init(left: Double, right: Double) {
    self.left = left
    self.right = right
  }

  /// Exact at the centre and at both sides.
  private static func constantPower(_ position: Double) -> PanGains {
    let (left, right) = ReproducibleMath.quarterTurn((position + 1) / 2)
    return PanGains(left: left, right: right)
  }
}
