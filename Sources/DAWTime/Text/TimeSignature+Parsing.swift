extension TimeSignature {
  /// `7/8`, as JSON and the command line have it. Whether a project accepts it is a rule.
  /// - Returns: `nil` for what is no two whole numbers.
  public init?(fraction text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let numerator = numbers[0], let denominator = numbers[1] else { return nil }
    self.init(numerator, over: denominator)
  }
}
