/// A percentage as a multiple of a thousandth of a percent, so that results are the same on every machine.
public struct Percentage: Hashable, Comparable, Sendable {
  /// Thousandths of a percent; 100,000 is 100 %.
  public var thousandths: Int64

  public init(thousandths: Int64) { self.thousandths = thousandths }

  public init(_ percent: Int64) { thousandths = percent.clampedProduct(1000) }

  /// Parses a percentage: `80`, `66.7`, `55%`.
  /// - Returns: `nil` unless the text is a decimal number from 0 to 1,000,000.
  public init?(parsing text: String) {
    self.init(text.hasSuffix("%") ? text.dropLast() : text[...], scale: 1000)
  }

  /// Parses a factor: `1.2`, or in percent, `120%`.
  /// - Returns: `nil` unless the text is a decimal number from 0 to 10,000.
  public init?(parsingFactor text: String) {
    self.init(text.hasSuffix("%") ? text.dropLast() : text[...], scale: text.hasSuffix("%") ? 1000 : 100_000)
  }

  private init?(_ text: Substring, scale: Int64) {
    guard let thousandths = DecimalNumber(text)?.scaled(by: scale), thousandths <= 1_000_000_000 else { return nil }
    self.thousandths = thousandths
  }

  /// This percentage of a number, rounded to the nearest integer, ties to even.
  public func of(_ number: Int64) -> Int64 {
    Int64(clamping: nearest(Int128(number) * Int128(thousandths), over: 100_000))
  }

  public static func < (a: Self, b: Self) -> Bool { a.thousandths < b.thousandths }
}

extension Percentage: CustomStringConvertible {
  /// "80%", "66.7%".
  public var description: String { decimalText(thousandths, per: 1000) + "%" }
}
