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
  /// Whether all notes are on channel 10, so that the program is a drum kit's number.
  public var isPercussion: Bool
  public var sampleRate: SampleRate
  /// In order of frame; of one frame note-offs first, then settings, then note-ons.
  public var events: [MIDIEvent]
  /// The bytes of the system exclusive messages among the events, 0xF0 and 0xF7 included.
  public var systemExclusive: [[UInt8]]
  public var effects: InstrumentEffects

  public init(
    soundFontPath: String, soundFontHash: String, bank: Int, program: Int, isPercussion: Bool = false,
    sampleRate: SampleRate, events: [MIDIEvent],
    systemExclusive: [[UInt8]] = [], effects: InstrumentEffects = .none
  ) {
    self.soundFontPath = soundFontPath
    self.soundFontHash = soundFontHash
    self.bank = bank
    self.program = program
    self.isPercussion = isPercussion
    self.sampleRate = sampleRate
    self.events = events
    self.systemExclusive = systemExclusive
    self.effects = effects
  }
}
