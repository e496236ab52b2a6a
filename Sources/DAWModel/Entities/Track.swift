public enum TrackType: String, CaseIterable, Codable, Sendable {
  case audio, midi, bus, master
}

/// A strip of the mixer, and the row of the timeline that feeds it.
public struct Track: Hashable, Sendable, Codable, Identifiable {
  public var id: TrackID
  /// Unique among the tracks of a project.
  public var name: Name
  public var orderKey: OrderKey
  public var trackType: TrackType
  /// 1 or 2; `nil` on an audio track that has had no region and was given none. A MIDI track, a bus and the master have 2.
  public var channelCount: Int?
  public var color: Color
  public var volume: Level
  public var pan: Pan
  public var isMuted: Bool
  public var isSolo: Bool
  public var isRecordEnabled: Bool
  /// What plays a MIDI track's notes; `nil` on every other track.
  public var instrument: Instrument?
  /// Where a MIDI track's port is connected to, as `CLIENT:PORT`; `nil` where it is connected by hand.
  public var midiOutput: String?

  public init(
    id: TrackID, name: Name = Name(literal: "Track"), orderKey: OrderKey, trackType: TrackType = .audio,
    channelCount: Int? = nil, color: Color = .blue, volume: Level = .unity, pan: Pan = .centre, isMuted: Bool = false,
    isSolo: Bool = false, isRecordEnabled: Bool = false, instrument: Instrument? = nil, midiOutput: String? = nil
  ) {
    self.id = id
    self.name = name
    self.orderKey = orderKey
    self.trackType = trackType
    self.channelCount = channelCount ?? (trackType == .audio ? nil : 2)
    self.color = color
    self.volume = volume
    self.pan = pan
    self.isMuted = isMuted
    self.isSolo = isSolo
    self.isRecordEnabled = isRecordEnabled
    self.instrument = instrument ?? (trackType == .midi ? Instrument() : nil)
    self.midiOutput = midiOutput
  }
}

extension Track: Entity {
  public static let kindCode: UInt8 = 1
  public static let noun = "track"
}
