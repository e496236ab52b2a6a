/// A parsed decimal number ≥ 0 of any length: `12`, `12.5`, `.5`.
struct DecimalNumber {
  /// Most significant first, each 0 … 9.
  private let whole: [UInt8]
  private let fraction: [UInt8]

  /// `nil` unless the text is ASCII digits with at most one point, which precedes a digit.
  init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, let digits = digits(of: whole) else { return nil }
    self.whole = digits
    guard parts.count == 2 else {
      guard !whole.isEmpty else { return nil }
      fraction = []
      return
    }
    guard !parts[1].isEmpty, let digits = DAWTime.digits(of: parts[1]) else { return nil }
    fraction = digits
  }

  /// The integer nearest to the number times `scale`, ties to even; rounded once, however many digits there are.
  /// - Parameter scale: 1 … 2³².
  /// - Returns: `nil` if it does not fit.
  func scaled(by scale: Int64) -> Int64? {
    // Long multiplication of the fraction: the final carry is the whole part of the product.
    var remaining = fraction
    var carried: Int64 = 0
    for index in remaining.indices.reversed() {
      let product = Int64(remaining[index]) * scale + carried
      remaining[index] = UInt8(product % 10)
      carried = product / 10
    }
    guard let integer = integer(of: whole) else { return nil }
    let (product, overflow) = integer.multipliedReportingOverflow(by: scale)
    let (floor, isTooLarge) = product.addingReportingOverflow(carried)
    guard !overflow, !isTooLarge, floor < .max else { return nil }
    guard let first = remaining.first, first >= 5 else { return floor }
    let isTie = first == 5 && remaining.dropFirst().allSatisfy { $0 == 0 }
    return isTie && floor.isMultiple(of: 2) ? floor : floor + 1
  }
}

/// Parses an integer: ASCII digits, at least one.
/// - Returns: `nil` if it is not an integer; `.max` if it does not fit.
func wholeNumber(_ text: some StringProtocol) -> Int64? {
  guard !text.isEmpty, let digits = digits(of: text.utf8) else { return nil }
  return integer(of: digits) ?? .max
}

private func digits(of text: some Sequence<UInt8>) -> [UInt8]? {
  var digits: [UInt8] = []
  for byte in text {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
    digits.append(byte - UInt8(ascii: "0"))
  }
  return digits
}

private func integer(of digits: [UInt8]) -> Int64? {
  var value: Int64 = 0
  for digit in digits {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, isTooLarge) = product.addingReportingOverflow(Int64(digit))
    guard !overflow, !isTooLarge else { return nil }
    value = sum
  }
  return value
}
