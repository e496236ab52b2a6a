import DAWEngine
import DAWModel
import DAWTime

/// A note-on or note-off, packed into 64 bits whose order is by frame, note-offs before note-ons, then by channel,
/// pitch and velocity. A note-off's velocity is its release velocity.
struct NoteEvent: Comparable, Sendable {
  private let bits: UInt64

  init(frame: TimelineFrame, isOn: Bool, channel: Int, pitch: Int, velocity: Int) {
    bits =
      UInt64(frame.number) << 19 | (isOn ? 1 : 0) << 18 | UInt64(channel) << 14 | UInt64(pitch) << 7 | UInt64(velocity)
  }

  static func < (a: Self, b: Self) -> Bool { a.bits < b.bits }

  var frame: TimelineFrame { TimelineFrame(Int(bits >> 19)) }
  var isOn: Bool { bits >> 18 & 1 == 1 }
  /// Channel and pitch: 0 … 2,047.
  var key: Int { Int(bits >> 7 & 0x7ff) }

  var channel: UInt8 { UInt8(bits >> 14 & 0xf) }
  private var pitch: UInt8 { UInt8(bits >> 7 & 0x7f) }

  var on: MIDIEvent { MIDIEvent(frame: frame, status: 0x90 | channel, data1: pitch, data2: UInt8(bits & 0x7f)) }
  /// For a note-on: the note-off of the note that has sounded on its key before.
  var off: MIDIEvent {
    MIDIEvent(
      frame: frame, status: 0x80 | channel, data1: pitch,
      data2: isOn ? UInt8(MIDINote.defaultReleaseVelocity) : UInt8(bits & 0x7f))
  }
}
