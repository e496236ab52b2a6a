import DAWModel
import DAWTime

/// A region as JSON. Of the integers only those of its own clocks are there.
public struct RegionDocument: Codable, Equatable, Sendable {
  public var id: RegionID?
  public var name: String
  public var regionType: RegionType
  public var timeBase: TimeBase
  /// Seconds on the timeline.
  public var startTime: Double
  public var startTicks: Int64?
  public var startFlicks: Int64?
  /// Seconds.
  public var duration: Double
  public var durationTicks: Int64?
  public var durationFlicks: Int64?
  /// The path of one of the project's `audioFiles`; `null` in a MIDI region.
  public var audioFile: String?
  /// Seconds from the file's start; `null` in a MIDI region.
  public var audioOffset: Double?
  public var audioOffsetFlicks: Int64?
  public var channels: ChannelSelection?
  /// `null`: the track's.
  public var color: Color?
  public var gain: Level
  public var isMuted: Bool
  /// Of a MIDI region, where they were asked for.
  public var notes: [NoteDocument]?
  /// Of a MIDI region, where its notes were not asked for.
  public var noteCount: Int?
  /// Of a MIDI region, where its notes were asked for.
  public var events: [EventDocument]?
  /// Of a MIDI region, where its notes were not asked for.
  public var eventCount: Int?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, regionType, timeBase, startTime, startTicks, startFlicks, duration, durationTicks, durationFlicks
    case audioFile, audioOffset, audioOffsetFlicks, channels, color, gain, isMuted, notes, noteCount
    case events, eventCount
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(RegionID.self, forKey: .id, decoder)
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? "Region"
    audioFile = try container.decodeIfPresent(String.self, forKey: .audioFile)
    regionType =
      try container.decodeIfPresent(RegionType.self, forKey: .regionType) ?? (audioFile == nil ? .midi : .audio)
    timeBase =
      try container.decodeIfPresent(TimeBase.self, forKey: .timeBase) ?? (regionType == .midi ? .musical : .absolute)
    startTime = try container.decodeIfPresent(Double.self, forKey: .startTime) ?? 0
    startTicks = try container.decodeIfPresent(Int64.self, forKey: .startTicks)
    startFlicks = try container.decodeIfPresent(Int64.self, forKey: .startFlicks)
    duration = try container.decodeIfPresent(Double.self, forKey: .duration) ?? 1
    durationTicks = try container.decodeIfPresent(Int64.self, forKey: .durationTicks)
    durationFlicks = try container.decodeIfPresent(Int64.self, forKey: .durationFlicks)
    audioOffset = try container.decodeIfPresent(Double.self, forKey: .audioOffset)
    audioOffsetFlicks = try container.decodeIfPresent(Int64.self, forKey: .audioOffsetFlicks)
    channels = try container.decodeIfPresent(ChannelSelection.self, forKey: .channels)
    color = try container.decodeIfPresent(Color.self, forKey: .color)
    gain = try container.decodeIfPresent(Level.self, forKey: .gain) ?? .unity
    isMuted = try container.decodeIfPresent(Bool.self, forKey: .isMuted) ?? false
    notes = try container.decodeIfPresent([NoteDocument].self, forKey: .notes)
    noteCount = try container.decodeIfPresent(Int.self, forKey: .noteCount)
    events = try container.decodeIfPresent([EventDocument].self, forKey: .events)
    eventCount = try container.decodeIfPresent(Int.self, forKey: .eventCount)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(regionType, forKey: .regionType)
    try container.encode(timeBase, forKey: .timeBase)
    try container.encode(startTime, forKey: .startTime)
    try container.encodeIfPresent(startTicks, forKey: .startTicks)
    try container.encodeIfPresent(startFlicks, forKey: .startFlicks)
    try container.encode(duration, forKey: .duration)
    try container.encodeIfPresent(durationTicks, forKey: .durationTicks)
    try container.encodeIfPresent(durationFlicks, forKey: .durationFlicks)
    try container.encode(audioFile, forKey: .audioFile)
    try container.encode(audioOffset, forKey: .audioOffset)
    try container.encodeIfPresent(audioOffsetFlicks, forKey: .audioOffsetFlicks)
    try container.encode(channels, forKey: .channels)
    try container.encode(color, forKey: .color)
    try container.encode(gain, forKey: .gain)
    try container.encode(isMuted, forKey: .isMuted)
    try container.encodeIfPresent(notes, forKey: .notes)
    try container.encodeIfPresent(noteCount, forKey: .noteCount)
    try container.encodeIfPresent(events, forKey: .events)
    try container.encodeIfPresent(eventCount, forKey: .eventCount)
  }
}

/// A note as JSON; its times are from its region's start.
public struct NoteDocument: Codable, Equatable, Sendable {
  public var id: NoteID?
  public var pitch: Int
  public var velocity: Int
  /// Seconds.
  public var startTime: Double
  public var startTicks: Int64?
  /// Seconds.
  public var duration: Double
  public var durationTicks: Int64?
  /// 0 … 15.
  public var channel: Int
  /// 0 … 127.
  public var releaseVelocity: Int

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, pitch, velocity, startTime, startTicks, duration, durationTicks, channel, releaseVelocity
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(NoteID.self, forKey: .id, decoder)
    pitch = try container.decodeIfPresent(Int.self, forKey: .pitch) ?? 60
    velocity = try container.decodeIfPresent(Int.self, forKey: .velocity) ?? 80
    startTime = try container.decodeIfPresent(Double.self, forKey: .startTime) ?? 0
    startTicks = try container.decodeIfPresent(Int64.self, forKey: .startTicks)
    duration = try container.decodeIfPresent(Double.self, forKey: .duration) ?? 0.25
    durationTicks = try container.decodeIfPresent(Int64.self, forKey: .durationTicks)
    channel = try container.decodeIfPresent(Int.self, forKey: .channel) ?? 0
    releaseVelocity =
      try container.decodeIfPresent(Int.self, forKey: .releaseVelocity) ?? MIDINote.defaultReleaseVelocity
  }
}
