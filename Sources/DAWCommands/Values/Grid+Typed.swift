import DAWTime

extension Grid.Spacing {
  /// A note's value, `1/16`, with `t` for triplets and `d` for dotted notes; any fraction that comes to whole ticks,
  /// such as `3/16` or `1/20`; `bar`, `4bars`.
  init(typed text: String) throws {
    guard let spacing = Self.reading(text.lowercased()) else {
      throw Unreadable(
        text, "a grid is a note's value such as 1/16, 1/8t (triplets) or 1/8d (dotted), or bar, or 2bars.")
    }
    self = spacing
  }

  private static func reading(_ text: String) -> Self? {
    for ending in ["bars", "bar"] where text.hasSuffix(ending) {
      let number = text.dropLast(ending.count)
      guard let count = number.isEmpty ? 1 : wholeNumber(String(number)), (1...1_000_000).contains(count) else {
        return nil
      }
      return .bars(Int64(count))
    }
    let (fraction, factor): (Substring, (Int, Int)) =
      switch text.last {
      case "t": (text.dropLast(), (2, 3))
      case "d": (text.dropLast(), (3, 2))
      default: (text[...], (1, 1))
      }
    let numbers = fraction.split(separator: "/", omittingEmptySubsequences: false).map { wholeNumber(String($0)) }
    guard numbers.count == 2, let above = numbers[0], let below = numbers[1], (1...1000).contains(above),
      (1...100_000).contains(below)
    else { return nil }
    let ticks = 4 * Int(TickCount.perQuarter) * above * factor.0
    guard ticks.isMultiple(of: below * factor.1) else { return nil }
    return .steps(TickCount(ticks: Int64(ticks / (below * factor.1))))
  }
}
