/// An event of a track, in 16 bytes, because files may have millions.
///
/// Longer data (text, system exclusive) is stored in the track.
/// - SeeAlso: `MIDIFileTrack.payload(of:)`
public struct MIDIFileEvent: Hashable, Sendable {
  /// Ticks from the track's start, in the file's division; not before the preceding event.
  public var tick: Int64
  /// 0x80 … 0xEF for channel messages, or one of the constants below.
  public var status: UInt8
  /// The first data byte; the type of a meta event.
  public var data1: UInt8
  /// The second data byte; 0 if the message has one.
  public var data2: UInt8
  /// The payload's offset in the track's payloads.
  var payloadOffset: UInt32 = 0

  public init(tick: Int64, status: UInt8, data1: UInt8 = 0, data2: UInt8 = 0) {
    self.tick = tick
    self.status = status
    self.data1 = data1
    self.data2 = data2
  }

  public static let systemExclusive: UInt8 = 0xf0
  /// Escape (0xF7): bytes to send unchanged, such as a continuation of a system exclusive message.
  public static let escape: UInt8 = 0xf7
  public static let meta: UInt8 = 0xff

  public var isChannelMessage: Bool { status < 0xf0 }
  /// The channel of a channel message, 0 … 15.
  public var channel: Int { Int(status & 0x0f) }
  public var message: MIDIChannelMessage? { MIDIChannelMessage(rawValue: status & 0xf0) }

  /// Whether it is a note-on with velocity > 0.
  public var isNoteOn: Bool { status & 0xf0 == 0x90 && data2 > 0 }
  public var isNoteOff: Bool { status & 0xf0 == 0x80 || status & 0xf0 == 0x90 && data2 == 0 }
  /// The release velocity of a note-off; 64 for a note-on with velocity 0.
  public var releaseVelocity: UInt8 { status & 0xf0 == 0x80 ? data2 : 64 }
}

/// The kinds of channel messages, by the upper four bits of the status byte.
public enum MIDIChannelMessage: UInt8, Sendable, CaseIterable {
  case noteOff = 0x80
  case noteOn = 0x90
  case polyPressure = 0xa0
  case controller = 0xb0
  case program = 0xc0
  case channelPressure = 0xd0
  case pitchBend = 0xe0

  /// The number of data bytes.
  public var dataByteCount: Int { self == .program || self == .channelPressure ? 1 : 2 }
}
