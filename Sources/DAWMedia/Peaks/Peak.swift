/// The smallest and the largest sample of a channel within a point, full scale ±1.
public struct Peak: Hashable, Sendable {
  public var minimum: Float
  public var maximum: Float

  public init(minimum: Float, maximum: Float) {
    self.minimum = minimum
    self.maximum = maximum
  }
}

extension Peak {
  /// Takes in what another one stands for.
  mutating func widen(by other: Peak) {
    minimum = other.minimum < minimum ? other.minimum : minimum
    maximum = other.maximum > maximum ? other.maximum : maximum
  }
}
