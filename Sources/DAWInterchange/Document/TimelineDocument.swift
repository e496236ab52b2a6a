import DAWModel
import DAWTime

/// Where tempo and meter change, as JSON. The first of each is the project's own, at the start.
public struct TempoMapDocument: Codable, Equatable, Sendable {
  public struct Tempo: Codable, Equatable, Sendable {
    /// Of all but the first.
    public var id: TempoChangeID?
    /// Seconds; follows from what comes before.
    public var startTime: Double
    public var startTicks: Int64
    /// Quarter notes per minute.
    public var bpm: Double
    /// From here the tempo goes evenly to the next.
    public var isRamp: Bool
  }

  public struct Meter: Codable, Equatable, Sendable {
    /// Of all but the first.
    public var id: MeterChangeID?
    /// Seconds; follows from the bar.
    public var startTime: Double
    /// Follows from the bar.
    public var startTicks: Int64
    /// From 1.
    public var bar: Int64
    public var timeSignature: String
  }

  public var tempos: [Tempo] = []
  public var meters: [Meter] = []

  enum CodingKeys: String, CodingKey, CaseIterable { case tempos, meters }

  public init() {}

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    tempos = try container.decodeIfPresent([Tempo].self, forKey: .tempos) ?? []
    meters = try container.decodeIfPresent([Meter].self, forKey: .meters) ?? []
  }
}

extension TempoMapDocument.Tempo {
  enum CodingKeys: String, CodingKey, CaseIterable { case id, startTime, startTicks, bpm, isRamp }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(TempoChangeID.self, forKey: .id, decoder)
    startTime = try container.decodeIfPresent(Double.self, forKey: .startTime) ?? 0
    startTicks = try container.decode(Int64.self, forKey: .startTicks)
    bpm = try container.decode(Double.self, forKey: .bpm)
    isRamp = try container.decodeIfPresent(Bool.self, forKey: .isRamp) ?? false
  }
}

extension TempoMapDocument.Meter {
  enum CodingKeys: String, CodingKey, CaseIterable { case id, startTime, startTicks, bar, timeSignature }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(MeterChangeID.self, forKey: .id, decoder)
    startTime = try container.decodeIfPresent(Double.self, forKey: .startTime) ?? 0
    startTicks = try container.decodeIfPresent(Int64.self, forKey: .startTicks) ?? 0
    timeSignature = try container.decode(String.self, forKey: .timeSignature)
    guard let bar = try container.decodeIfPresent(Int64.self, forKey: .bar) ?? (startTicks == 0 ? 1 : nil) else {
      throw DecodingError.keyNotFound(
        CodingKeys.bar, .init(codingPath: decoder.codingPath, debugDescription: "A change of meter has a bar."))
    }
    self.bar = bar
  }
}

/// A key signature as JSON.
public struct KeySignatureDocument: Codable, Equatable, Sendable {
  public var id: KeySignatureID?
  /// Seconds on the timeline.
  public var startTime: Double
  public var startTicks: Int64
  /// Number of sharps; negative: flats.
  public var fifths: Int
  public var isMinor: Bool

  enum CodingKeys: String, CodingKey, CaseIterable { case id, startTime, startTicks, fifths, isMinor }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(KeySignatureID.self, forKey: .id, decoder)
    startTime = try container.decodeIfPresent(Double.self, forKey: .startTime) ?? 0
    startTicks = try container.decode(Int64.self, forKey: .startTicks)
    fifths = try container.decode(Int.self, forKey: .fifths)
    isMinor = try container.decodeIfPresent(Bool.self, forKey: .isMinor) ?? false
  }
}

/// A marker as JSON. Of the integers only those of its own clock are there.
public struct MarkerDocument: Codable, Equatable, Sendable {
  public var id: MarkerID?
  public var name: String
  public var kind: Marker.Kind
  public var timeBase: TimeBase
  /// Seconds on the timeline.
  public var startTime: Double
  public var startTicks: Int64?
  public var startFlicks: Int64?
  /// Seconds; `null` of a place without a length.
  public var duration: Double?
  public var durationTicks: Int64?
  public var durationFlicks: Int64?
  public var color: Color?

  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, kind, timeBase, startTime, startTicks, startFlicks, duration, durationTicks, durationFlicks, color
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    id = try container.decodeID(MarkerID.self, forKey: .id, decoder)
    name = try container.decode(String.self, forKey: .name)
    kind = try container.decodeIfPresent(Marker.Kind.self, forKey: .kind) ?? .marker
    startTime = try container.decodeIfPresent(Double.self, forKey: .startTime) ?? 0
    startTicks = try container.decodeIfPresent(Int64.self, forKey: .startTicks)
    startFlicks = try container.decodeIfPresent(Int64.self, forKey: .startFlicks)
    timeBase =
      try container.decodeIfPresent(TimeBase.self, forKey: .timeBase) ?? (startFlicks == nil ? .musical : .absolute)
    duration = try container.decodeIfPresent(Double.self, forKey: .duration)
    durationTicks = try container.decodeIfPresent(Int64.self, forKey: .durationTicks)
    durationFlicks = try container.decodeIfPresent(Int64.self, forKey: .durationFlicks)
    color = try container.decodeIfPresent(Color.self, forKey: .color)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    try container.encode(timeBase, forKey: .timeBase)
    try container.encode(startTime, forKey: .startTime)
    try container.encodeIfPresent(startTicks, forKey: .startTicks)
    try container.encodeIfPresent(startFlicks, forKey: .startFlicks)
    try container.encode(duration, forKey: .duration)
    try container.encodeIfPresent(durationTicks, forKey: .durationTicks)
    try container.encodeIfPresent(durationFlicks, forKey: .durationFlicks)
    try container.encode(color, forKey: .color)
  }
}
