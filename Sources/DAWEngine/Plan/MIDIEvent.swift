import DAWTime

/// A channel message or a system exclusive message at a timeline frame.
public struct MIDIEvent: Hashable, Sendable {
  /// Timeline frame.
  public var frame: TimelineFrame
  /// The status byte, channel included: 0x90 is a note-on of the first channel; 0xF0 is system exclusive.
  public var status: UInt8
  /// 0 … 127.
  public var data1: UInt8
  /// 0 … 127; 0 if the message has one data byte.
  public var data2: UInt8
  /// For a system exclusive message, the index of its bytes, stored beside the events; 0 for other messages.
  public var bytesIndex: UInt32

  @_noLocks public init(frame: TimelineFrame, status: UInt8, data1: UInt8, data2: UInt8) {
    self.frame = frame
    self.status = status
    self.data1 = data1
    self.data2 = data2
    bytesIndex = 0
  }

  /// A channel message as `ChannelState` holds it: the status in the lowest byte, then the data.
  @_noLocks init(frame: TimelineFrame, packed message: UInt32) {
    self.init(
      frame: frame, status: UInt8(truncatingIfNeeded: message), data1: UInt8(truncatingIfNeeded: message >> 8),
      data2: UInt8(truncatingIfNeeded: message >> 16))
  }

  /// A system exclusive message.
  @_noLocks public init(frame: TimelineFrame, bytesIndex: UInt32) {
    self.frame = frame
    status = 0xf0
    data1 = 0
    data2 = 0
    self.bytesIndex = bytesIndex
  }

  public var isSystemExclusive: Bool { @_noLocks get { status == 0xf0 } }

  /// Whether it moves a pedal that holds notes, see `holdingPedals`.
  public var movesHoldingPedal: Bool { @_noLocks get { status & 0xf0 == 0xb0 && (data1 == 64 || data1 == 66) } }

  /// The controllers of the pedals that hold notes through their note-offs: sustain and sostenuto.
  public static var holdingPedals: (UInt8, UInt8) { @_noLocks get { (64, 66) } }
}
