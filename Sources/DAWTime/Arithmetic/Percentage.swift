/// A share in percent, to a thousandth of a percent, so that a part of a distance is the same on every machine.
public struct Percentage: Hashable, Comparable, Sendable {
  /// 100,000 is the whole.
  public var thousandths: Int64

  public init(thousandths: Int64) { self.thousandths = thousandths }

  public init(_ percent: Int64) { thousandths = percent.clampedProduct(1000) }

  /// A number of percent as it is typed: `80`, `66.7`, `55%`.
  /// - Returns: `nil` for what is no decimal number from 0 to 1,000,000.
  public init?(parsing text: String) {
    self.init(text.hasSuffix("%") ? text.dropLast() : text[...], scale: 1000)
  }

  /// A factor as it is typed: `1.2`, or in percent, `120%`.
  /// - Returns: `nil` for what is no decimal number from 0 to 10,000.
  public init?(parsingFactor text: String) {
    self.init(text.hasSuffix("%") ? text.dropLast() : text[...], scale: text.hasSuffix("%") ? 1000 : 100_000)
  }

  private init?(_ text: Substring, scale: Int64) {
    guard let thousandths = DecimalNumber(text)?.scaled(by: scale), thousandths <= 1_000_000_000 else { return nil }
    self.thousandths = thousandths
  }

  /// This share of a number, to the nearest integer, ties to even.
  public func of(_ number: Int64) -> Int64 {
    Int64(clamping: nearest(Int128(number) * Int128(thousandths), over: 100_000))
  }

  public static func < (a: Self, b: Self) -> Bool { a.thousandths < b.thousandths }
}

extension Percentage: CustomStringConvertible {
  /// "80%", "66.7%".
  public var description: String { decimalText(thousandths, per: 1000) + "%" }
}
