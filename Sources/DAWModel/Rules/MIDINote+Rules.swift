import DAWTime

extension MIDINote {
  /// How a message names it.
  public var subject: String { "note \(id)" }

  /// The rules of its own row.
  /// - Throws: the first rule that it breaks.
  public func validate() throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
    try require((0...127).contains(pitch), .pitch, "a pitch of \(pitch)", of: subject)
    try require((0...127).contains(velocity), .velocity, "a velocity of \(velocity)", of: subject)
    try require(
      (0...127).contains(releaseVelocity), .velocity, "a release velocity of \(releaseVelocity)", of: subject)
    try require((0...15).contains(channel), .channel, "the channel \(countedFromOne(channel))", of: subject)
    try require(start >= .zero, .noteStart, "a start \(start.ticks.magnitude) ticks before the region's", of: subject)
    try require(duration > .zero, .noteDuration, "a length of \(duration.ticks) ticks", of: subject)
    try require(
      TimelineLimit.contains(start) && TimelineLimit.contains(duration), .timelineEnd,
      "a note of \(duration.ticks) ticks at \(start.ticks)", of: subject)
  }

  /// The rules of the row and its parent.
  /// - Throws: the first rule that it breaks.
  public func validate(in region: Region) throws(RuleViolation) {
    guard case .midi(let length) = region.content else {
      throw RuleViolation(.regionFitsTrack, value: "a note in an audio region", subject: region.subject)
    }
    try require(
      end <= length, .noteWithinRegion,
      "an end at \(formatDecimal(Double(end.ticks) / Double(TickCount.perQuarter)))b in a region of "
        + "\(formatDecimal(Double(length.ticks) / Double(TickCount.perQuarter)))b",
      of: region.subject)
  }
}
