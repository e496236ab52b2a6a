import DAWTime

/// What a MIDI region holds beside its notes: a controller's move, a bend, a change of program, a text.
///
/// Events at one tick are in order of id, which is the order that they were added in.
public struct RegionEvent: Hashable, Sendable, Codable, Identifiable {
  public var id: EventID
  public var region: RegionID
  /// From the region's start; at most the region's length.
  public var start: TickCount
  /// 0 … 15; 0 for what has no channel.
  public var channel: Int
  public var message: Message

  public enum Message: Hashable, Sendable, Codable {
    /// Both 0 … 127. Number 0 and 32 select banks, 6, 38 and 98 … 101 registered and other parameters.
    case controller(number: Int, value: Int)
    /// −8,192 … 8,191; 0 is the middle.
    case pitchBend(Int)
    /// 0 … 127, and where it says so the bank as bank select MSB × 128 + LSB, 0 … 16,383.
    case program(Int, bank: Int? = nil)
    /// Of the whole channel, 0 … 127.
    case channelPressure(Int)
    /// Of one key; both 0 … 127.
    case polyPressure(pitch: Int, value: Int)
    /// The bytes as they are sent, 0xF0 first and 0xF7 last; a message in parts is an event for each part, of which all
    /// but the first begin with 0xF7, which is not sent, as a Standard MIDI File has them.
    case systemExclusive([UInt8])
    /// What a Standard MIDI File says beside music: its type (1 is a text, 5 a lyric), and the bytes as they are there.
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

extension RegionEvent: Entity {
  public static let kindCode: UInt8 = 6
  public static let noun = "event"
}

extension RegionEvent.Message {
  /// What an event is, by the status byte of its message, with channel 0; 0xFF for what is only in files.
  public enum Kind: Int, CaseIterable, Sendable, Codable {
    case polyPressure = 0xa0
    case controller = 0xb0
    case program = 0xc0
    case channelPressure = 0xd0
    case pitchBend = 0xe0
    case systemExclusive = 0xf0
    case meta = 0xff

    /// Whether it is sent to one of 16 channels.
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

  /// The text of a meta event: UTF-8, else Latin-1; `nil` of all other events.
  public var text: String? {
    guard case .meta(_, let bytes) = self else { return nil }
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }
}
