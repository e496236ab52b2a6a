import DAWTime

/// A message of a MIDI region other than a note: a controller, a pitch bend, a change of program, a text.
///
/// Events at one tick are in order of id, which is the order in which they were added.
public struct RegionEvent: Hashable, Sendable, Identifiable {
  public var id: EventID
  public var region: RegionID
  /// From the region's start; at most the region's length.
  public var start: TickCount
  /// 0 … 15; 0 for messages without a channel.
  public var channel: Int
  public var message: Message

  public enum Message: Hashable, Sendable {
    /// Both 0 … 127. Numbers 0 and 32 select banks; 6, 38 and 98 … 101 set registered and non-registered parameters.
    case controller(number: Int, value: Int)
    /// −8,192 … 8,191; 0 is the centre.
    case pitchBend(Int)
    /// The program, 0 … 127, and optionally a bank to select first, MSB × 128 + LSB, 0 … 16,383.
    case program(Int, bank: Int? = nil)
    /// Channel aftertouch, 0 … 127.
    case channelPressure(Int)
    /// Aftertouch of one key; both 0 … 127.
    case polyPressure(pitch: Int, value: Int)
    /// The bytes as they are sent, from 0xF0 to 0xF7. A message in several packets is one event for each; as in
    /// Standard MIDI Files, all but the first begin with 0xF7, which is not sent.
    case systemExclusive([UInt8])
    /// A meta event of a Standard MIDI File: its type (1 is text, 5 a lyric) and its bytes.
    case meta(type: Int, [UInt8])
  }

  public init(id: EventID, region: RegionID, start: TickCount = .zero, channel: Int = 0, message: Message) {
    self.id = id
    self.region = region
    self.start = start
    self.channel = channel
    self.message = message
  }
}

extension RegionEvent: RegionContent {
  public static let kind = EntityKind.event
  public static let noun = "event"
  public static let table = "midiEvent"
  public static let contents: ContentCollection<RegionEvent> = \Project.events

  /// Columns whose meaning depends on the kind come after it.
  public static let fields: [Field<RegionEvent>] = [
    Field("region", \.region, rule: .referenceExists),
    Field("startTime", \.start, rule: .eventStart),
    Field("kind", rule: .eventKind, value: { $0.message.kind.rawValue }) { event, stored in
      guard let kind = Int(stored: stored).flatMap(Message.Kind.init(rawValue:)) else { return false }
      event.message = Message(blank: kind)
      return true
    },
    Field("channel", \.channel, rule: .channel, as: ChannelNumber.init),
    Field("number", rule: .eventValue, value: { $0.message.columns.number }) { event, stored in
      guard let number = Int?(stored: stored) else { return false }
      return event.message.assign(number: number)
    },
    Field("value", rule: .eventValue, value: { $0.message.columns.value }) { event, stored in
      guard let value = Int?(stored: stored) else { return false }
      return event.message.assign(value: value)
    },
    Field("bytes", rule: .eventBytes, value: { $0.message.columns.bytes.map(StoredBytes.init(bytes:)) }) {
      event, stored in
      guard let bytes = StoredBytes?(stored: stored) else { return false }
      return event.message.assign(bytes: bytes?.bytes)
    },
  ]

  public init(blank id: EventID) {
    self.init(id: id, region: RegionID(rawValue: 0), message: .pitchBend(0))
  }

  /// Reads the columns of `fields`, in order.
  public init(_ columns: some StoredColumns) throws(RuleViolation) {
    guard let kind = Message.Kind(rawValue: Int(columns.integer(3))) else {
      throw RuleViolation(.eventKind, value: "the kind \(columns.value(3))")
    }
    var message = Message(blank: kind)
    guard let number = Int?(stored: columns.value(5)), message.assign(number: number),
      let value = Int?(stored: columns.value(6)), message.assign(value: value)
    else { throw RuleViolation(.eventValue, value: "a \(kind) without its values") }
    guard let bytes = StoredBytes?(stored: columns.value(7)), message.assign(bytes: bytes?.bytes) else {
      throw RuleViolation(.eventBytes, value: "a \(kind) without its bytes")
    }
    self.init(
      id: EventID(rawValue: columns.integer(0)), region: RegionID(rawValue: columns.integer(1)),
      start: TickCount(ticks: columns.integer(2)), channel: Int(columns.integer(4)), message: message)
  }

  public static func validate(_ rows: [RegionEvent], in tables: some ModelTables, areNew: Bool) throws {
    try validateContents(rows, in: tables, areNew: areNew)
  }

  /// What messages call the row.
  public var subject: String { "event \(id)" }

  /// The longest system exclusive message or text, 1 MiB.
  public static let maximumByteCount = 1 << 20
  /// Meta events that the project stores elsewhere or does not need: end of track, tempo, meter.
  public static let refusedMetaTypes = [0x2f, 0x51, 0x58]

  /// Checks the rules that concern only this row.
  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try requireID()
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

  /// Checks the rules that involve its region.
  /// - Throws: the first rule that is broken.
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

/// The bytes of a BLOB column.
private struct StoredBytes: StorableValue {
  var bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  var stored: StoredValue { .bytes(bytes) }

  init?(stored: StoredValue) {
    guard case .bytes(let bytes) = stored else { return nil }
    self.bytes = bytes
  }
}

extension RegionEvent.Message {
  /// The kind of message. The raw value is its MIDI status byte for channel 0, 0xFF for meta events.
  public enum Kind: Int, CaseIterable, Sendable {
    case polyPressure = 0xa0
    case controller = 0xb0
    case program = 0xc0
    case channelPressure = 0xd0
    case pitchBend = 0xe0
    case systemExclusive = 0xf0
    case meta = 0xff

    /// Whether the message is sent on one of 16 channels.
    public var hasChannel: Bool { rawValue < Kind.systemExclusive.rawValue }
  }

  public var kind: Kind {
    switch self {
    case .controller: .controller
    case .pitchBend: .pitchBend
    case .program: .program
    case .channelPressure: .channelPressure
    case .polyPressure: .polyPressure
    case .systemExclusive: .systemExclusive
    case .meta: .meta
    }
  }

  /// The text of a meta event, in the encoding that its bytes look like; `nil` for all other messages.
  public var text: String? {
    guard case .meta(_, let bytes) = self else { return nil }
    return MIDIFileText.decode(bytes)
  }
}

// MARK: As columns

extension RegionEvent.Message {
  /// The values of the columns `number`, `value` and `bytes`, by kind of message.
  public var columns: (number: Int?, value: Int?, bytes: [UInt8]?) {
    switch self {
    case .controller(let number, let value): (number, value, nil)
    case .pitchBend(let value), .channelPressure(let value): (nil, value, nil)
    case .program(let program, let bank): (bank, program, nil)
    case .polyPressure(let pitch, let value): (pitch, value, nil)
    case .systemExclusive(let bytes): (nil, nil, bytes)
    case .meta(let type, let bytes): (type, nil, bytes)
    }
  }

  /// A message of a kind, whose values are yet to be assigned.
  public init(blank kind: Kind) {
    switch kind {
    case .controller: self = .controller(number: 0, value: 0)
    case .pitchBend: self = .pitchBend(0)
    case .program: self = .program(0)
    case .channelPressure: self = .channelPressure(0)
    case .polyPressure: self = .polyPressure(pitch: 0, value: 0)
    case .systemExclusive: self = .systemExclusive([])
    case .meta: self = .meta(type: 0, [])
    }
  }

  /// - Returns: `false` if the kind has no such column, or requires a value that is missing.
  public mutating func assign(number: Int?) -> Bool {
    switch (self, number) {
    case (.controller(_, let value), let number?): self = .controller(number: number, value: value)
    case (.program(let program, _), let bank): self = .program(program, bank: bank)
    case (.polyPressure(_, let value), let pitch?): self = .polyPressure(pitch: pitch, value: value)
    case (.meta(_, let bytes), let type?): self = .meta(type: type, bytes)
    case (.pitchBend, nil), (.channelPressure, nil), (.systemExclusive, nil): break
    default: return false
    }
    return true
  }

  /// - Returns: as `assign(number:)`.
  public mutating func assign(value: Int?) -> Bool {
    switch (self, value) {
    case (.controller(let number, _), let value?): self = .controller(number: number, value: value)
    case (.pitchBend, let value?): self = .pitchBend(value)
    case (.program(_, let bank), let program?): self = .program(program, bank: bank)
    case (.channelPressure, let value?): self = .channelPressure(value)
    case (.polyPressure(let pitch, _), let value?): self = .polyPressure(pitch: pitch, value: value)
    case (.systemExclusive, nil), (.meta, nil): break
    default: return false
    }
    return true
  }

  /// - Returns: as `assign(number:)`.
  public mutating func assign(bytes: [UInt8]?) -> Bool {
    switch (self, bytes) {
    case (.systemExclusive, let bytes?): self = .systemExclusive(bytes)
    case (.meta(let type, _), let bytes?): self = .meta(type: type, bytes)
    case (_, nil): return kind.hasChannel
    default: return false
    }
    return true
  }
}
