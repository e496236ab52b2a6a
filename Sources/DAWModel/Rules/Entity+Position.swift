import DAWTime

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
