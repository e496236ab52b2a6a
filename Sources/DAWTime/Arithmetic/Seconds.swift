extension FlickPosition {
  /// The flick nearest to a number of seconds, for JSON: the inverse of `seconds`, exact up to 73 days.
  /// - Returns: `nil` if the number is not finite, or is beyond the end of the timeline.
  public init?(seconds: Double) {
    guard let flicks = nearestFlicks(seconds) else { return nil }
    self.init(flicks: flicks)
  }
}

extension FlickCount {
  /// The distance nearest to a number of seconds, for JSON: the inverse of `seconds`, exact up to 73 days.
  /// - Returns: `nil` if the number is not finite, or is longer than the timeline.
  public init?(seconds: Double) {
    guard let flicks = nearestFlicks(seconds) else { return nil }
    self.init(flicks: flicks)
  }
}

private func nearestFlicks(_ seconds: Double) -> Int64? {
  let end = FlickPosition.timelineEnd
  guard seconds.magnitude <= end.seconds else { return nil }
  // Whole seconds are converted separately, so that both products are exact enough for a single rounding.
  let whole = seconds.rounded(.towardZero)
  let rest = ((seconds - whole) * Double(FlickCount.perSecond)).rounded(.toNearestOrEven)
  let flicks = Int64(whole) * FlickCount.perSecond + Int64(rest)
  return flicks.magnitude <= end.flicks.magnitude ? flicks : nil
}
