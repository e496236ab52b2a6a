/// A linear gain over time. Its value depends on the frame's number alone, never on earlier values, so neither block
/// size nor the start of playback changes it.
public enum Control: Hashable, Sendable {
  case constant(Float)
  /// `Float(gain × c₁(n) × c₂(n) × …)`, in `Double` and in this order; at least one curve.
  case curves(gain: Float, [Curve])
  /// In a passage alone: from one gain to another in a line over its frames.
  indirect case passage(from: Control, to: Control)

  public static let unity = Control.constant(1)
}

extension Control: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constant(let gain): "\(gain)"
    case .curves(let gain, let curves): (["\(gain)"] + curves.map { "(\($0))" }).joined(separator: " × ")
    case .passage(let from, let to): "from \(from) to \(to)"
    }
  }
}
