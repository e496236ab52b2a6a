import DAWTime

/// What one instrument has to play: everything its frames depend on, and nothing else.
public struct InstrumentPlan: Hashable, Sendable {
  /// The SoundFont's absolute path.
  public var soundFontPath: String
  /// SHA-256 of the SoundFont, 64 hexadecimal digits.
  public var soundFontHash: String
  /// 0 … 16,383, as bank select MSB × 128 + LSB.
  public var bank: Int
  /// 0 … 127.
  public var program: Int
  public var sampleRate: SampleRate
  /// In order of frame; of one frame, note-offs first.
  public var events: [MIDIEvent]

  public init(
    soundFontPath: String, soundFontHash: String, bank: Int, program: Int, sampleRate: SampleRate, events: [MIDIEvent]
  ) {
    self.soundFontPath = soundFontPath
    self.soundFontHash = soundFontHash
    self.bank = bank
    self.program = program
    self.sampleRate = sampleRate
    self.events = events
  }
}

/// A channel message at a place on the timeline.
public struct MIDIEvent: Hashable, Sendable {
  /// Timeline frame.
  public var frame: Int64
  /// The status byte, channel included: 0x90 is a note-on of the first channel.
  public var status: UInt8
  /// 0 … 127.
  public var data1: UInt8
  /// 0 … 127; 0 where the message has one byte.
  public var data2: UInt8

  public init(frame: Int64, status: UInt8, data1: UInt8, data2: UInt8) {
    self.frame = frame
    self.status = status
    self.data1 = data1
    self.data2 = data2
  }
}
