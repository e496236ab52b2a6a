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

/// Rules about positions that several entities share.
extension Entity {
  /// The position is on the timeline, its start included.
  func requireOnTimeline(_ place: TimelinePosition) throws(RuleViolation) {
    switch place {
    case .musical(let ticks):
      try require(ticks >= .zero, .markPosition, "a place at \(ticks.ticks) ticks", of: subject)
      try require(
        TimelineLimit.contains(ticks - .zero), .timelineEnd, "a place at \(ticks.ticks) ticks", of: subject)
    case .absolute(let flicks):
      try require(flicks >= .zero, .markPosition, "a place at \(flicks.seconds) s", of: subject)
      try require(TimelineLimit.contains(flicks - .zero), .timelineEnd, "a place at \(flicks.seconds) s", of: subject)
    }
  }

  /// At most one row of the entity is at this position.
  func requireUniquePosition(at place: some StorableValue, _ column: String, in tables: some ModelTables) throws {
    guard try tables.firstID(of: Self.self, where: column, is: place, besides: id) != nil else { return }
    throw RuleViolation(.markIsOnce, value: "a second \(Self.noun) at one place", subject: subject)
  }
}
