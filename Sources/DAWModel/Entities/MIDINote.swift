import DAWTime

/// A note of a MIDI region; it ends within the region.
public struct MIDINote: Hashable, Sendable, Identifiable {
  public var id: NoteID
  public var region: RegionID
  /// 0 … 127; 60 is middle C.
  public var pitch: Int
  /// 0 … 127; 0 is silent.
  public var velocity: Int
  /// From the region's start.
  public var start: TickCount
  /// Longer than 0.
  public var duration: TickCount
  /// 0 … 15.
  public var channel: Int
  /// 0 … 127.
  public var releaseVelocity: Int

  /// The release velocity of devices that do not measure it, as in the MIDI specification.
  public static let defaultReleaseVelocity = 64

  public init(
    id: NoteID, region: RegionID, pitch: Int = 60, velocity: Int = 80, start: TickCount = .zero, duration: TickCount,
    channel: Int = 0, releaseVelocity: Int = defaultReleaseVelocity
  ) {
    self.id = id
    self.region = region
    self.pitch = pitch
    self.velocity = velocity
    self.start = start
    self.duration = duration
    self.channel = channel
    self.releaseVelocity = releaseVelocity
  }

  public var end: TickCount { start + duration }
}

extension MIDINote: RegionContent {
  public static let kind = EntityKind.note
  public static let noun = "note"
  public static let table = "midiNote"
  public static let contents: ContentCollection<MIDINote> = \Project.notes

  public static let fields: [Field<MIDINote>] = [
    Field("region", \.region, rule: .referenceExists),
    Field("startTime", \.start, rule: .noteStart),
    Field("duration", \.duration, rule: .noteDuration),
    Field("pitch", \.pitch, rule: .pitch, as: PitchNumber.init),
    Field("velocity", \.velocity, rule: .velocity),
    Field("channel", \.channel, rule: .channel, as: ChannelNumber.init),
    Field("releaseVelocity", \.releaseVelocity, rule: .velocity),
  ]

  public init(blank id: NoteID) {
    self.init(id: id, region: RegionID(rawValue: 0), duration: .zero)
  }

  /// Reads the columns of `fields`, in order.
  public init(_ columns: some StoredColumns) {
    self.init(
      id: NoteID(rawValue: columns.integer(0)), region: RegionID(rawValue: columns.integer(1)),
      pitch: Int(columns.integer(4)), velocity: Int(columns.integer(5)), start: TickCount(ticks: columns.integer(2)),
      duration: TickCount(ticks: columns.integer(3)), channel: Int(columns.integer(6)),
      releaseVelocity: Int(columns.integer(7)))
  }

  public static func validate(_ rows: [MIDINote], in tables: some ModelTables, areNew: Bool) throws {
    try validateContents(rows, in: tables, areNew: areNew)
  }

  /// What messages call the row.
  public var subject: String { "note \(id)" }

  /// Checks the rules that concern only this row.
  /// - Throws: the first rule that is broken.
  public func validate() throws(RuleViolation) {
    try requireID()
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

  /// Checks the rules that involve its region.
  /// - Throws: the first rule that is broken.
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
