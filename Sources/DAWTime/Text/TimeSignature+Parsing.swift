extension TimeSignature {
  /// A time signature as it is typed: `7/8`.
  /// - Throws: where it is no two whole numbers, or not 1 … 64 over 1, 2, 4, 8, 16, 32 or 64.
  public init(parsing text: String) throws(TimeParseError) {
    guard !text.isEmpty else { throw TimeParseError(.timeSignature, .empty, text: text) }
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { wholeNumber($0) }
    guard numbers.count == 2, let numerator = numbers[0], let denominator = numbers[1] else {
      throw TimeParseError(.timeSignature, .unreadable, text: text)
    }
    self.init(Int(numerator), over: Int(denominator))
    guard isAccepted else { throw TimeParseError(.timeSignature, .outOfRange, text: text) }
  }
}
