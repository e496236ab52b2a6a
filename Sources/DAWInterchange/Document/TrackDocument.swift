import DAWModel
import DAWTime

/// A track as JSON.
public struct TrackDocument: Codable, Equatable, Sendable {
  public var id: TrackID?
  public var name: String
  /// Its place among the tracks, from 0.
  public var index: Int
  public var trackType: TrackType
  /// `null` on an audio track that has had no region and was given no width.
  public var channelCount: Int?
  public var color: Color
  /// Decibels; −∞ is "-inf".
  public var volume: Level
  public var pan: Pan
  public var isMuted: Bool
  public var isSolo: Bool
  public var isRecordEnabled: Bool
  /// Of a MIDI track.
  public var instrument: InstrumentDocument?
  /// Of a MIDI track: where its port is connected to, as `CLIENT:PORT`.
  public var midiOutput: String?
  /// In order of their start; left out of listings of tracks alone.
  public var regions: [RegionDocument]?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, index, trackType, channelCount, color, volume, pan, isMuted, isSolo, isRecordEnabled, instrument
    case midiOutput, regions
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(TrackID.self, forKey: .id, decoder)
    name = try container.decodeIfPresent(String.self, forKey: .name) ?? "Track"
    index = try container.decodeIfPresent(Int.self, forKey: .index) ?? 0
    trackType = try container.decodeIfPresent(TrackType.self, forKey: .trackType) ?? .audio
    channelCount = try container.decodeIfPresent(Int.self, forKey: .channelCount)
    color = try container.decodeIfPresent(Color.self, forKey: .color) ?? .blue
    volume = try container.decodeIfPresent(Level.self, forKey: .volume) ?? .unity
    pan = try container.decodeIfPresent(Pan.self, forKey: .pan) ?? .centre
    isMuted = try container.decodeIfPresent(Bool.self, forKey: .isMuted) ?? false
    isSolo = try container.decodeIfPresent(Bool.self, forKey: .isSolo) ?? false
    isRecordEnabled = try container.decodeIfPresent(Bool.self, forKey: .isRecordEnabled) ?? false
    instrument = try container.decodeIfPresent(InstrumentDocument.self, forKey: .instrument)
    midiOutput = try container.decodeIfPresent(String.self, forKey: .midiOutput)
    regions = try container.decodeIfPresent([RegionDocument].self, forKey: .regions)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(index, forKey: .index)
    try container.encode(trackType, forKey: .trackType)
    try container.encode(channelCount, forKey: .channelCount)
    try container.encode(color, forKey: .color)
    try container.encode(volume, forKey: .volume)
    try container.encode(pan, forKey: .pan)
    try container.encode(isMuted, forKey: .isMuted)
    try container.encode(isSolo, forKey: .isSolo)
    try container.encode(isRecordEnabled, forKey: .isRecordEnabled)
    try container.encode(instrument, forKey: .instrument)
    try container.encode(midiOutput, forKey: .midiOutput)
    try container.encodeIfPresent(regions, forKey: .regions)
  }
}
