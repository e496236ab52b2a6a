import DAWTime

/// Everything that an instrument's samples depend on, and nothing else.
public struct InstrumentPlan: Hashable, Sendable {
  /// The SoundFont's absolute path.
  public var soundFontPath: String
  /// SHA-256 of the SoundFont, 64 hexadecimal digits.
  public var soundFontHash: String
  /// 0 … 16,383, as bank select MSB × 128 + LSB.
  public var bank: Int
  /// 0 … 127.
  public var program: Int
  /// Whether all notes are on channel 10, where the program is a drum kit's number.
  public var isPercussion: Bool
  public var sampleRate: SampleRate
  /// In order of frame; at the same frame note-offs come first, then settings, then note-ons.
  public var events: [MIDIEvent]
  /// The system exclusive messages of the events (`MIDIEvent.bytesIndex`), 0xF0 and 0xF7 included.
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

// MARK: Effects

/// An instrument's own effects, in FluidSynth's parameters.
public struct InstrumentEffects: Hashable, Sendable {
  /// Linear gain ≥ 0, applied to FluidSynth's output.
  public var gain: Double
  /// `nil`: off.
  public var reverb: InstrumentReverb?
  /// `nil`: off.
  public var chorus: InstrumentChorus?

  public init(gain: Double = 1, reverb: InstrumentReverb? = nil, chorus: InstrumentChorus? = nil) {
    self.gain = gain
    self.reverb = reverb
    self.chorus = chorus
  }

  /// Unity gain, no reverb, no chorus.
  public static let none = InstrumentEffects()

  /// Whether effects ring on after the last voice.
  public var ringsOn: Bool { reverb != nil || chorus != nil }
}

public struct InstrumentReverb: Hashable, Sendable {
  /// 0 … 1.
  public var roomSize: Double
  /// 0 … 1.
  public var damping: Double
  /// 0 … 100.
  public var width: Double
  /// 0 … 1, linear.
  public var level: Double

  public init(roomSize: Double, damping: Double, width: Double, level: Double) {
    self.roomSize = roomSize
    self.damping = damping
    self.width = width
    self.level = level
  }
}

public struct InstrumentChorus: Hashable, Sendable {
  /// 0 … 99.
  public var voiceCount: Int
  /// 0 … 10, linear.
  public var level: Double
  /// 0.1 … 5 Hz.
  public var speed: Double
  /// 0 … 256 ms.
  public var depth: Double

  public init(voiceCount: Int, level: Double, speed: Double, depth: Double) {
    self.voiceCount = voiceCount
    self.level = level
    self.speed = speed
    self.depth = depth
  }
}
