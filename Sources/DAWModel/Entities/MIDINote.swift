import DAWTime

/// A note of a MIDI region; its end lies within the region.
public struct MIDINote: Hashable, Sendable, Codable, Identifiable {
  public var id: NoteID
  public var region: RegionID
  /// 0 … 127; 60 is middle C.
  public var pitch: Int
  /// 0 … 127; 0 plays nothing.
  public var velocity: Int
  /// From the region's start.
  public var start: TickCount
  /// Longer than 0.
  public var duration: TickCount
  /// 0 … 15.
  public var channel: Int
  /// How fast its key goes up, 0 … 127.
  public var releaseVelocity: Int

  /// What a note-off has that says nothing else.
  public static let usualReleaseVelocity = 64

  public init(
    id: NoteID, region: RegionID, pitch: Int = 60, velocity: Int = 80, start: TickCount = .zero, duration: TickCount,
    channel: Int = 0, releaseVelocity: Int = usualReleaseVelocity
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

extension MIDINote: Entity {
  public static let kindCode: UInt8 = 3
  public static let noun = "note"
}
