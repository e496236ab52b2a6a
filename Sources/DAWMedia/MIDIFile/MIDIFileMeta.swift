/// A decoded meta event.
public enum MIDIFileMeta: Hashable, Sendable {
  case text(TextKind, [UInt8])
  /// The channel, 0 … 15, of the meta events that follow.
  case channelPrefix(Int)
  /// The track's MIDI port, from 0.
  case port(Int)
  /// Microseconds per quarter note: 1 … 16,777,215.
  case tempo(microsecondsPerQuarter: Int)
  /// - Parameters:
  ///   - denominator: a power of two, from 1.
  ///   - clocks: MIDI clocks (24 per quarter note) per metronome beat.
  ///   - thirtySeconds: notated 1/32 notes per MIDI quarter note.
  case timeSignature(numerator: Int, denominator: Int, clocks: Int = 24, thirtySeconds: Int = 8)
  /// - Parameter sharps: the number of sharps, negative for flats; valid within −7 … 7.
  case keySignature(sharps: Int, isMinor: Bool)
  /// Any other type.
  case other(type: UInt8, [UInt8])

  /// Types 1 … 15 hold text.
  public enum TextKind: UInt8, Sendable, CaseIterable {
    case text = 1
    case copyright = 2
    case trackName = 3
    case instrumentName = 4
    case lyric = 5
    case marker = 6
    case cuePoint = 7
    case programName = 8
    case deviceName = 9
  }

  static let endOfTrackType: UInt8 = 0x2f
}

extension MIDIFileMeta {
  /// `nil` if the body is too short for its type, or its value is impossible, such as a tempo of 0.
  public init?(type: UInt8, body: ArraySlice<UInt8>) {
    let bytes = Array(body)
    switch type {
    case 0x20:
      guard let channel = bytes.first, channel < 16 else { return nil }
      self = .channelPrefix(Int(channel))
    case 0x21:
      guard let port = bytes.first else { return nil }
      self = .port(Int(port))
    case 0x51:
      guard bytes.count >= 3 else { return nil }
      let microseconds = Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2])
      guard microseconds > 0 else { return nil }
      self = .tempo(microsecondsPerQuarter: microseconds)
    case 0x58:
      // Some files have two bytes; the others then have their default values.
      guard bytes.count >= 2, bytes[0] > 0, bytes[1] < 31 else { return nil }
      self = .timeSignature(
        numerator: Int(bytes[0]), denominator: 1 << Int(bytes[1]), clocks: bytes.count > 2 ? Int(bytes[2]) : 24,
        thirtySeconds: bytes.count > 3 ? Int(bytes[3]) : 8)
    case 0x59:
      guard bytes.count >= 2 else { return nil }
      self = .keySignature(sharps: Int(Int8(bitPattern: bytes[0])), isMinor: bytes[1] != 0)
    default:
      if let kind = TextKind(rawValue: type) { self = .text(kind, bytes) } else { self = .other(type: type, bytes) }
    }
  }

  public var type: UInt8 {
    switch self {
    case .text(let kind, _): kind.rawValue
    case .channelPrefix: 0x20
    case .port: 0x21
    case .tempo: 0x51
    case .timeSignature: 0x58
    case .keySignature: 0x59
    case .other(let type, _): type
    }
  }

  public var body: [UInt8] {
    switch self {
    case .text(_, let bytes), .other(_, let bytes): bytes
    case .channelPrefix(let number), .port(let number): [UInt8(clamping: number)]
    case .tempo(let microseconds): (0..<3).map { UInt8(truncatingIfNeeded: microseconds >> (16 - 8 * $0)) }
    case .timeSignature(let numerator, let denominator, let clocks, let thirtySeconds):
      [
        UInt8(clamping: numerator), UInt8(clamping: denominator.trailingZeroBitCount), UInt8(clamping: clocks),
        UInt8(clamping: thirtySeconds),
      ]
    case .keySignature(let sharps, let isMinor): [UInt8(bitPattern: Int8(clamping: sharps)), isMinor ? 1 : 0]
    }
  }
}

extension MIDIFileTrack {
  /// Decodes a meta event of this track; `nil` for another event, or an invalid body.
  public func meta(of event: MIDIFileEvent) -> MIDIFileMeta? {
    guard event.status == MIDIFileEvent.meta else { return nil }
    return MIDIFileMeta(type: event.data1, body: payload(of: event))
  }

  public mutating func append(_ meta: MIDIFileMeta, at tick: Int64) {
    append(metaType: meta.type, payload: meta.body, at: tick)
  }
}
