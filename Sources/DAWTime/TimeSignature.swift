/// A meter, such as 4/4 or 7/8: the beats of a bar, and the note value of a beat.
public struct TimeSignature: Hashable, Sendable, Codable {
  /// Beats in a bar, 1 … 64.
  public var numerator: Int
  /// The beat's note value: 1, 2, 4, 8, 16, 32 or 64.
  public var denominator: Int

  public init(_ numerator: Int, over denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  public static let fourFour = TimeSignature(4, over: 4)
  public static let acceptedNumerators = 1...64
  public static let acceptedDenominators = [1, 2, 4, 8, 16, 32, 64]

  public var isAccepted: Bool {
    Self.acceptedNumerators.contains(numerator) && Self.acceptedDenominators.contains(denominator)
  }

  /// The length of one beat: 7/8 has beats of 7,680 ticks.
  public var beat: TickCount { TickCount(ticks: TickCount.perQuarter * 4 / Int64(max(1, denominator))) }
  /// The length of one bar.
  public var bar: TickCount { TickCount(ticks: beat.ticks.clampedProduct(Int64(numerator))) }
}

extension TimeSignature: CustomStringConvertible {
  public var description: String { "\(numerator)/\(denominator)" }
}
