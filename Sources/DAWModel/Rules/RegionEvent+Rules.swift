import DAWTime

extension RegionEvent {
  /// How a message names it.
  public var subject: String { "event \(id)" }

  /// Of a system exclusive message or a text; 1 MiB.
  public static let maximumByteCount = 1 << 20
  /// What a project says in other ways: end of track, tempo, meter.
  public static let refusedMetaTypes = [0x2f, 0x51, 0x58]

  /// The rules of its own row.
  /// - Throws: the first rule that it breaks.
  public func validate() throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
    try require((0...15).contains(channel), .channel, "the channel \(countedFromOne(channel))", of: subject)
    try require(
      message.kind.hasChannel || channel == 0, .channel, "a channel of what is sent to no channel", of: subject)
    try require(
      start >= .zero, .eventStart, "a place \(start.ticks.magnitude) ticks before the region's start", of: subject)
    try require(TimelineLimit.contains(start), .timelineEnd, "an event at \(start.ticks)", of: subject)
    try validateMessage()
  }

  private func validateMessage() throws(RuleViolation) {
    switch message {
    case .controller(let number, let value):
      try requireSevenBits(number, "a controller")
      try requireSevenBits(value, "a controller's value")
    case .pitchBend(let bend):
      try requireValue(
        (-8192...8191).contains(bend), "a pitch bend of \(bend)", accepted: "A pitch bend is -8192 … 8191, 0 at rest.")
    case .program(let program, let bank):
      try requireSevenBits(program, "a program")
      try requireValue(
        (0...16_383).contains(bank ?? 0), "a bank of \(bank ?? 0)",
        accepted: "A bank is 0 … 16383: CC 0 × 128 + CC 32.")
    case .channelPressure(let value): try requireSevenBits(value, "a pressure")
    case .polyPressure(let pitch, let value):
      try requireSevenBits(pitch, "a pitch")
      try requireSevenBits(value, "a pressure")
    case .systemExclusive(let bytes):
      try require(
        [0xf0, 0xf7].contains(bytes.first), .eventBytes, "a system exclusive message without 0xF0 at its start",
        of: subject)
      try requireLength(bytes)
    case .meta(let type, let bytes):
      try requireSevenBits(type, "a meta event's type")
      try require(!Self.refusedMetaTypes.contains(type), .eventValue, "a meta event of type \(type)", of: subject)
      try requireLength(bytes)
    }
  }

  private func requireValue(_ isAccepted: Bool, _ value: String, accepted: String) throws(RuleViolation) {
    guard isAccepted else { throw RuleViolation(.eventValue, value: value, subject: subject, accepted: accepted) }
  }

  private func requireSevenBits(_ number: Int, _ noun: String) throws(RuleViolation) {
    try requireValue(
      (0...127).contains(number), "\(noun) of \(number)",
      accepted: "\(noun.prefix(1).uppercased())\(noun.dropFirst()) is 0 … 127.")
  }

  private func requireLength(_ bytes: [UInt8]) throws(RuleViolation) {
    try require(bytes.count <= Self.maximumByteCount, .eventBytes, "a message of \(bytes.count) bytes", of: subject)
  }

  /// The rules of the row and its parent.
  /// - Throws: the first rule that it breaks.
  public func validate(in region: Region) throws(RuleViolation) {
    guard case .midi(let length) = region.content else {
      throw RuleViolation(.regionFitsTrack, value: "an event in an audio region", subject: region.subject)
    }
    try require(
      start <= length, .eventWithinRegion,
      "an event at \(formatDecimal(Double(start.ticks) / Double(TickCount.perQuarter)))b in a region of "
        + "\(formatDecimal(Double(length.ticks) / Double(TickCount.perQuarter)))b",
      of: region.subject)
  }
}
