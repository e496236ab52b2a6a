extension FlickPosition {
  /// The flick nearest to a number of seconds, as JSON has it: the way back from `seconds`, exact for 73 days.
  /// - Returns: `nil` for what is no finite number, or further from the start than the end of the timeline.
  public init?(seconds: Double) {
    guard let flicks = nearestFlicks(seconds) else { return nil }
    self.init(flicks: flicks)
  }
}

extension FlickCount {
  /// The length nearest to a number of seconds, as JSON has it: the way back from `seconds`, exact for 73 days.
  /// - Returns: `nil` for what is no finite number, or longer than the timeline.
  public init?(seconds: Double) {
    guard let flicks = nearestFlicks(seconds) else { return nil }
    self.init(flicks: flicks)
  }
}

private func nearestFlicks(_ seconds: Double) -> Int64? {
  let end = FlickPosition.timelineEnd
  guard seconds.magnitude <= end.seconds else { return nil }
  // Whole seconds apart: both products are then exact enough for one rounding.
  let whole = seconds.rounded(.towardZero)
  let rest = ((seconds - whole) * Double(FlickCount.perSecond)).rounded(.toNearestOrEven)
  let flicks = Int64(whole) * FlickCount.perSecond + Int64(rest)
  return flicks.magnitude <= end.flicks.magnitude ? flicks : nil
}
