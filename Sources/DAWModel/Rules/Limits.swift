import DAWTime

/// The end of the timeline: far enough for any music, and small enough that no sum of two positions overflows.
public enum TimelineLimit {
  public static let ticks = TickPosition.timelineEnd.ticks
  public static let flicks = FlickPosition.timelineEnd.flicks

  static func contains(_ ticks: TickCount) -> Bool { (0...Self.ticks).contains(ticks.ticks) }
  static func contains(_ flicks: FlickCount) -> Bool { (0...Self.flicks).contains(flicks.flicks) }
}

/// An index from 0 as users count it, from 1. Does not overflow.
func countedFromOne(_ index: Int) -> String { "\(Int128(index) + 1)" }

/// Throws a violation of `rule` unless `isAccepted`.
func require(
  _ isAccepted: Bool, _ rule: Rule, _ value: @autoclosure () -> String, of subject: @autoclosure () -> String = ""
) throws(RuleViolation) {
  guard isAccepted else { throw RuleViolation(rule, value: value(), subject: subject()) }
}
