/// One event of a track, in 16 bytes: files have them by the million.
///
/// What is longer than two data bytes (text, system exclusive) lies in the track.
/// - SeeAlso: `MIDIFileTrack.payload(of:)`
public struct MIDIFileEvent: Hashable, Sendable {
  /// From the track's start, in the file's division; never before the event ahead of it.
  public var tick: Int64
  /// 0x80 … 0xEF for channel messages, or one of the constants below.
  public var status: UInt8
  /// The first data byte; of a meta event its type.
  public var data1: UInt8
  /// The second data byte; 0 where the message has one.
  public var data2: UInt8
  /// Where the payload lies in the track's.
  var payloadOffset: UInt32 = 0

  public init(tick: Int64, status: UInt8, data1: UInt8 = 0, data2: UInt8 = 0) {
    self.tick = tick
    self.status = status
    self.data1 = data1
    self.data2 = data2
  }

  public static let systemExclusive: UInt8 = 0xf0
  /// Bytes that go out as they are: a further part of a system exclusive message, or anything else.
  public static let escape: UInt8 = 0xf7
  public static let meta: UInt8 = 0xff

  public var isChannelMessage: Bool { status < 0xf0 }
  /// 0 … 15, of a channel message.
  public var channel: Int { Int(status & 0x0f) }
  public var message: MIDIChannelMessage? { MIDIChannelMessage(rawValue: status & 0xf0) }

  /// A note that begins: velocity 0 ends one.
  public var isNoteOn: Bool { status & 0xf0 == 0x90 && data2 > 0 }
  public var isNoteOff: Bool { status & 0xf0 == 0x80 || status & 0xf0 == 0x90 && data2 == 0 }
  /// Of a note's end: velocity 0 of a note-on stands for 64.
  public var releaseVelocity: UInt8 { status & 0xf0 == 0x80 ? data2 : 64 }
}

/// The kinds of channel messages, by the upper half of their status byte.
public enum MIDIChannelMessage: UInt8, Sendable, CaseIterable {
  case noteOff = 0x80
  case noteOn = 0x90
  case polyPressure = 0xa0
  case controller = 0xb0
  case program = 0xc0
  case channelPressure = 0xd0
  case pitchBend = 0xe0

  /// How many data bytes it has.
  public var dataByteCount: Int { self == .program || self == .channelPressure ? 1 : 2 }
}
