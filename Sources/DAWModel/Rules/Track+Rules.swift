extension Track {
  /// How a message names it.
  public var subject: String { "track '\(name)'" }

  /// The rules of its own row.
  /// - Throws: the first rule that it breaks.
  public func validate() throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
    try name.validate()
    try require(color.isAccepted, .color, "the colour '\(color)'", of: subject)
    switch (trackType, channelCount) {
    case (.audio, nil), (.audio, 1), (_, 2): break
    default:
      throw RuleViolation(
        .channelCount, value: "a width of \(channelCount.map { "\($0) channels" } ?? "no channels")", subject: subject)
    }
    try require(volume.isAccepted, .volume, "a volume of \(volume)", of: subject)
    try require(Pan.accepted.contains(pan.position), .pan, "a pan of \(pan)", of: subject)
    try require(
      (trackType == .master) == (orderKey == .master), .masterIsLast, "the place '\(orderKey.digits)'", of: subject)
    try require(OrderKey(orderKey.digits) != nil, .orderKey, "the key '\(orderKey.digits)'", of: subject)
    try validateInstrument()
    try validateOutput()
  }

  private func validateInstrument() throws(RuleViolation) {
    guard let instrument else {
      return try require(trackType != .midi, .instrument, "a MIDI track without an instrument", of: subject)
    }
    try require(trackType == .midi, .instrument, "an instrument on a track of type \(trackType.rawValue)", of: subject)
    try instrument.validate(of: subject)
  }
}
