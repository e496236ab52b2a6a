/// A linear gain, or another coefficient, over time. Its value depends on the frame's number alone, never on earlier
/// values, so neither block size nor the start of playback changes it.
public enum Control: Hashable, Sendable {
  case constant(Float)
  /// `Float` of the factors' product, in `Double` and in this order; at least one is a curve.
  case product([Factor])
  /// In a passage alone: a control of the plan before, at that plan's frames.
  indirect case ofPlanBefore(Control)
  /// In a passage alone: from one control, of the plan before, to another in a line over its frames.
  indirect case passage(from: Control, to: Control)

  /// A part of a product.
  public enum Factor: Hashable, Sendable {
    case constant(Double)
    case curve(Curve)
  }

  public static let unity = Control.constant(1)

  /// A gain times curves.
  public static func curves(gain: Float, _ curves: [Curve]) -> Control {
    .product([.constant(Double(gain))] + curves.map(Factor.curve))
  }

  /// The product of factors: a constant, if none is a curve.
  public init(_ factors: [Factor]) {
    var product = 1.0
    for factor in factors {
      guard case .constant(let value) = factor else {
        self = .product(factors)
        return
      }
      product *= value
    }
    self = .constant(Float(product))
  }

  /// Whether it has curves.
  var isMoving: Bool { if case .constant = self { false } else { true } }
}

extension Control: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constant(let gain): "\(gain)"
    case .product(let factors): factors.map(\.description).joined(separator: " × ")
    case .ofPlanBefore(let control): "\(control) of the plan before"
    case .passage(let from, let to): "from \(from) to \(to)"
    }
  }
}

extension Control.Factor: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constant(let value): "\(value)"
    case .curve(let curve): "(\(curve))"
    }
  }
}
