import DAWModel

/// What plays a MIDI track, as JSON.
public struct InstrumentDocument: Codable, Equatable, Sendable {
  /// The path of one of the project's `soundFonts`; `null` where none was found.
  public var soundFont: String?
  public var bank: Int
  public var program: Int
  /// Decibels; −∞ is "-inf".
  public var gain: Level
  public var reverb: ReverbDocument
  public var chorus: ChorusDocument
  /// What the gain refers to. Documents made before it was known lack it: FluidSynth's default gain.
  public var gainReference: Instrument.GainReference

  enum CodingKeys: String, CodingKey, CaseIterable {
    case soundFont, bank, program, gain, reverb, chorus, gainReference
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    soundFont = try container.decodeIfPresent(String.self, forKey: .soundFont)
    bank = try container.decodeIfPresent(Int.self, forKey: .bank) ?? 0
    program = try container.decodeIfPresent(Int.self, forKey: .program) ?? 0
    gain = try container.decodeIfPresent(Level.self, forKey: .gain) ?? .unity
    reverb = try container.decodeIfPresent(ReverbDocument.self, forKey: .reverb) ?? ReverbDocument(Reverb())
    chorus = try container.decodeIfPresent(ChorusDocument.self, forKey: .chorus) ?? ChorusDocument(Chorus())
    gainReference =
      try container.decodeIfPresent(Instrument.GainReference.self, forKey: .gainReference) ?? .fluidSynth
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(soundFont, forKey: .soundFont)
    try container.encode(bank, forKey: .bank)
    try container.encode(program, forKey: .program)
    try container.encode(gain, forKey: .gain)
    try container.encode(reverb, forKey: .reverb)
    try container.encode(chorus, forKey: .chorus)
    try container.encode(gainReference, forKey: .gainReference)
  }

  /// - Parameter soundFont: the id of the one that is named here.
  func instrument(of track: TrackID, soundFont: SoundFontID?) -> Instrument {
    Instrument(
      of: track, soundFont: soundFont, bank: bank, program: program, gain: gain, reverb: reverb.reverb,
      chorus: chorus.chorus,
      gainReference: gainReference)
  }
}

/// A reverb as JSON, by FluidSynth's parameters.
public struct ReverbDocument: Codable, Equatable, Sendable {
  public var reverb: Reverb

  init(_ reverb: Reverb) { self.reverb = reverb }

  enum CodingKeys: String, CodingKey, CaseIterable { case isOn, roomSize, damping, width, level }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    reverb = Reverb()
    reverb.isOn = try container.decodeIfPresent(Bool.self, forKey: .isOn) ?? reverb.isOn
    reverb.roomSize = try container.decodeIfPresent(Double.self, forKey: .roomSize) ?? reverb.roomSize
    reverb.damping = try container.decodeIfPresent(Double.self, forKey: .damping) ?? reverb.damping
    reverb.width = try container.decodeIfPresent(Double.self, forKey: .width) ?? reverb.width
    reverb.level = try container.decodeIfPresent(Double.self, forKey: .level) ?? reverb.level
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(reverb.isOn, forKey: .isOn)
    try container.encode(reverb.roomSize, forKey: .roomSize)
    try container.encode(reverb.damping, forKey: .damping)
    try container.encode(reverb.width, forKey: .width)
    try container.encode(reverb.level, forKey: .level)
  }
}

/// A chorus as JSON, by FluidSynth's parameters.
public struct ChorusDocument: Codable, Equatable, Sendable {
  public var chorus: Chorus

  init(_ chorus: Chorus) { self.chorus = chorus }

  enum CodingKeys: String, CodingKey, CaseIterable { case isOn, voiceCount, level, speed, depth }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.strictContainer(CodingKeys.self)
    chorus = Chorus()
    chorus.isOn = try container.decodeIfPresent(Bool.self, forKey: .isOn) ?? chorus.isOn
    chorus.voiceCount = try container.decodeIfPresent(Int.self, forKey: .voiceCount) ?? chorus.voiceCount
    chorus.level = try container.decodeIfPresent(Double.self, forKey: .level) ?? chorus.level
    chorus.speed = try container.decodeIfPresent(Double.self, forKey: .speed) ?? chorus.speed
    chorus.depth = try container.decodeIfPresent(Double.self, forKey: .depth) ?? chorus.depth
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(chorus.isOn, forKey: .isOn)
    try container.encode(chorus.voiceCount, forKey: .voiceCount)
    try container.encode(chorus.level, forKey: .level)
    try container.encode(chorus.speed, forKey: .speed)
    try container.encode(chorus.depth, forKey: .depth)
  }
}
