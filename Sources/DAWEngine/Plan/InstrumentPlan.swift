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
  public var sequence: MIDISequence
  public var effects: InstrumentEffects

  /// The sequence's events; a new value makes a new sequence.
  public var events: [MIDIEvent] {
    get { sequence.events }
    set { sequence = MIDISequence(newValue, systemExclusive: systemExclusive) }
  }

  /// The system exclusive messages of the events (`MIDIEvent.bytesIndex`), 0xF0 and 0xF7 included.
  public var systemExclusive: [[UInt8]] {
    get { sequence.systemExclusive }
    set { sequence = MIDISequence(events, systemExclusive: newValue) }
  }

  public init(
    soundFontPath: String, soundFontHash: String, bank: Int, program: Int, isPercussion: Bool = false,
    sampleRate: SampleRate, sequence: MIDISequence, effects: InstrumentEffects = .none
  ) {
    self.soundFontPath = soundFontPath
    self.soundFontHash = soundFontHash
    self.bank = bank
    self.program = program
    self.isPercussion = isPercussion
    self.sampleRate = sampleRate
    self.sequence = sequence
    self.effects = effects
  }

  public init(
    soundFontPath: String, soundFontHash: String, bank: Int, program: Int, isPercussion: Bool = false,
    sampleRate: SampleRate, events: [MIDIEvent],
    systemExclusive: [[UInt8]] = [], effects: InstrumentEffects = .none
  ) {
    self.init(
      soundFontPath: soundFontPath, soundFontHash: soundFontHash, bank: bank, program: program,
      isPercussion: isPercussion, sampleRate: sampleRate,
      sequence: MIDISequence(events, systemExclusive: systemExclusive), effects: effects)
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

  /// Each channel's send level to reverb and chorus, if they are on, until controller 91 or 93 changes it: General MIDI
  /// 2's default for reverb.
  public static let sendLevel: UInt8 = 40

  /// Unity gain, no reverb, no chorus.
  public static let none = InstrumentEffects()

  /// Whether effects ring on after the last voice.
  public var ringsOn: Bool { reverb != nil || chorus != nil }
}

/// The settings of a synthesizer's reverb.
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

/// The settings of a synthesizer's chorus.
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
