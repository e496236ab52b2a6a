import DAWTime

/// A change of tempo. The tempo at the start of the timeline is the project's own.
public struct TempoMark: Hashable, Sendable, Codable, Identifiable {
  public var id: TempoMarkID
  /// After the start of the timeline.
  public var position: TickPosition
  public var tempo: Tempo
  /// From here the tempo goes evenly, per tick, to that of the next mark.
  public var isRamp: Bool

  public init(id: TempoMarkID, position: TickPosition, tempo: Tempo, isRamp: Bool = false) {
    self.id = id
    self.position = position
    self.tempo = tempo
    self.isRamp = isRamp
  }
}

/// A change of meter. The meter at the start of the timeline is the project's own.
public struct MeterMark: Hashable, Sendable, Codable, Identifiable {
  public var id: MeterMarkID
  /// As people count, from 1; at least 2. It stays at its bar when an earlier meter changes.
  public var bar: Int64
  public var timeSignature: TimeSignature

  public init(id: MeterMarkID, bar: Int64, timeSignature: TimeSignature) {
    self.id = id
    self.bar = bar
    self.timeSignature = timeSignature
  }

  /// So few that the last of them is on the timeline whatever the meters are.
  public static let acceptedBars: ClosedRange<Int64> = 2...262_144
}

/// A key signature. It changes nothing that is heard.
public struct KeyMark: Hashable, Sendable, Codable, Identifiable {
  public var id: KeyMarkID
  public var position: TickPosition
  /// Sharps, or less than 0: flats. −7 … 7.
  public var fifths: Int
  public var isMinor: Bool

  public init(id: KeyMarkID, position: TickPosition, fifths: Int, isMinor: Bool = false) {
    self.id = id
    self.position = position
    self.fifths = fifths
    self.isMinor = isMinor
  }
}

/// A place on the timeline, or a range, that has a name.
public struct Marker: Hashable, Sendable, Codable, Identifiable {
  /// As Standard MIDI Files tell them apart.
  public enum Kind: String, CaseIterable, Sendable, Codable {
    /// A part of the music: "Verse".
    case marker
    /// Something that happens there: "Door slams".
    case cue
  }

  public var id: MarkerID
  /// Not unique: a song has several choruses.
  public var name: Name
  public var kind: Kind
  /// Its time base says whether it follows a change of tempo.
  public var start: TimelinePosition
  /// Of a range, in the clock of its start.
  public var length: TimelineDistance?
  public var color: Color?

  public init(
    id: MarkerID, name: Name, kind: Kind = .marker, start: TimelinePosition, length: TimelineDistance? = nil,
    color: Color? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.start = start
    self.length = length
    self.color = color
  }

  /// Where its range ends, or where it is.
  public var end: TimelinePosition {
    switch (start, length) {
    case (.musical(let ticks), .musical(let length)): .musical(ticks + length)
    case (.absolute(let flicks), .absolute(let length)): .absolute(flicks + length)
    default: start
    }
  }
}

extension TempoMark: Entity {
  public static let kindCode: UInt8 = 7
  public static let noun = "change of tempo"
}

extension MeterMark: Entity {
  public static let kindCode: UInt8 = 8
  public static let noun = "change of meter"
}

extension KeyMark: Entity {
  public static let kindCode: UInt8 = 9
  public static let noun = "key signature"
}

extension Marker: Entity {
  public static let kindCode: UInt8 = 10
  public static let noun = "marker"
}

/// What stands on the timeline itself, on no track.
public enum TimelineMark: Hashable, Sendable, Codable {
  case tempo(TempoMark)
  case meter(MeterMark)
  case key(KeyMark)
  case marker(Marker)

  /// Which of them.
  public enum ID: Hashable, Sendable, Codable {
    case tempo(TempoMarkID)
    case meter(MeterMarkID)
    case key(KeyMarkID)
    case marker(MarkerID)
  }

  public var id: ID {
    switch self {
    case .tempo(let mark): .tempo(mark.id)
    case .meter(let mark): .meter(mark.id)
    case .key(let mark): .key(mark.id)
    case .marker(let mark): .marker(mark.id)
    }
  }
}

extension TimelineMark.ID {
  public var noun: String {
    switch self {
    case .tempo: TempoMark.noun
    case .meter: MeterMark.noun
    case .key: KeyMark.noun
    case .marker: Marker.noun
    }
  }

  public var uuidString: String {
    switch self {
    case .tempo(let id): id.uuidString
    case .meter(let id): id.uuidString
    case .key(let id): id.uuidString
    case .marker(let id): id.uuidString
    }
  }
}
