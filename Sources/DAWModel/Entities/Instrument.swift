/// A SoundFont preset and its effects, before the track's fader.
public struct Instrument: Hashable, Sendable, Codable {
  /// `nil` if no SoundFont was found when the track was added.
  public var soundFont: SoundFontID?
  /// Bank select MSB × 128 + LSB, 0 … 16,383.
  public var bank: Int
  /// 0 … 127.
  public var program: Int
  /// Relative to FluidSynth's default gain.
  public var gain: Level
  public var reverb: Reverb
  public var chorus: Chorus

  public init(
    soundFont: SoundFontID? = nil, bank: Int = 0, program: Int = 0, gain: Level = .unity, reverb: Reverb = Reverb(),
    chorus: Chorus = Chorus()
  ) {
    self.soundFont = soundFont
    self.bank = bank
    self.program = program
    self.gain = gain
    self.reverb = reverb
    self.chorus = chorus
  }
}

/// FluidSynth's reverb, with its parameters and defaults, but off by default.
public struct Reverb: Hashable, Sendable, Codable {
  public var isOn = false
  /// 0 … 1.
  public var roomSize = 0.2
  /// 0 … 1.
  public var damping = 0.0
  /// 0 … 100.
  public var width = 0.5
  /// 0 … 1, linear.
  public var level = 0.9

  public init() {}
}

/// FluidSynth's chorus, with its parameters and defaults, but off by default.
public struct Chorus: Hashable, Sendable, Codable {
  public var isOn = false
  /// 0 … 99.
  public var voiceCount = 3
  /// 0 … 10, linear.
  public var level = 2.0
  /// 0.1 … 5 Hz.
  public var speed = 0.3
  /// 0 … 256 ms.
  public var depth = 8.0

  public init() {}
}

extension Track {
  /// The columns of a MIDI track's instrument. For other tracks they hold the defaults.
  static let instrumentFields: [Field<Track>] = [
    Field("bank", rule: .instrument, value: { $0.instrument?.bank }) { track, stored in
      guard let bank = Int?(stored: stored) else { return false }
      track.instrument = bank.map { Instrument(bank: $0) }
      return true
    },
    Field("soundFont", rule: .instrument, value: { $0.instrument?.soundFont }) { track, stored in
      guard let soundFont = SoundFontID?(stored: stored) else { return false }
      track.instrument?.soundFont = soundFont
      return soundFont == nil || track.instrument != nil
    },
    Field("program", rule: .instrument, value: { $0.instrument?.program }) { track, stored in
      guard let program = Int?(stored: stored) else { return false }
      if let program { track.instrument?.program = program }
      return (program == nil) == (track.instrument == nil)
    },
    instrumentField("instrumentGain", \.gain, rule: .gain),
    instrumentField("hasReverb", \.reverb.isOn, rule: .flag),
    instrumentField("reverbRoomSize", \.reverb.roomSize, rule: .reverb),
    instrumentField("reverbDamping", \.reverb.damping, rule: .reverb),
    instrumentField("reverbWidth", \.reverb.width, rule: .reverb),
    instrumentField("reverbLevel", \.reverb.level, rule: .reverb),
    instrumentField("hasChorus", \.chorus.isOn, rule: .flag),
    instrumentField("chorusVoices", \.chorus.voiceCount, rule: .chorus),
    instrumentField("chorusLevel", \.chorus.level, rule: .chorus),
    instrumentField("chorusSpeed", \.chorus.speed, rule: .chorus),
    instrumentField("chorusDepth", \.chorus.depth, rule: .chorus),
  ]

  private static func instrumentField<Value: StorableValue>(
    _ name: String, _ path: any WritableKeyPath<Instrument, Value> & Sendable, rule: Rule
  ) -> Field<Track> {
    Field(name, rule: rule, value: { ($0.instrument ?? Instrument())[keyPath: path] }) { track, stored in
      guard let value = Value(stored: stored) else { return false }
      track.instrument?[keyPath: path] = value
      return true
    }
  }
}

extension Instrument {
  /// - Parameter subject: what messages call the track.
  /// - Throws: the first rule that is broken.
  func validate(of subject: String) throws(RuleViolation) {
    try require((0...16_383).contains(bank), .instrument, "a bank of \(bank)", of: subject)
    try require((0...127).contains(program), .instrument, "a program of \(program)", of: subject)
    try require(gain.isAccepted, .gain, "an instrument's gain of \(gain)", of: subject)
    try require((0...1).contains(reverb.roomSize), .reverb, "a room size of \(reverb.roomSize)", of: subject)
    try require((0...1).contains(reverb.damping), .reverb, "a damping of \(reverb.damping)", of: subject)
    try require((0...100).contains(reverb.width), .reverb, "a width of \(reverb.width)", of: subject)
    try require((0...1).contains(reverb.level), .reverb, "a level of \(reverb.level)", of: subject)
    try require((0...99).contains(chorus.voiceCount), .chorus, "\(chorus.voiceCount) voices", of: subject)
    try require((0...10).contains(chorus.level), .chorus, "a level of \(chorus.level)", of: subject)
    try require((0.1...5).contains(chorus.speed), .chorus, "a speed of \(chorus.speed)", of: subject)
    try require((0...256).contains(chorus.depth), .chorus, "a depth of \(chorus.depth)", of: subject)
  }
}

extension Track {
  /// In characters.
  static let maximumOutputLength = 255

  func validateOutput() throws(RuleViolation) {
    guard let midiOutput else { return }
    let scalars = midiOutput.unicodeScalars
    let colon = scalars.dropFirst().firstIndex(of: ":")
    try require(
      trackType == .midi && scalars.count <= Self.maximumOutputLength
        && colon.map { scalars.index(after: $0) != scalars.endIndex } == true
        && !scalars.contains { $0.properties.generalCategory == .control },
      .midiOutput, "the output '\(midiOutput)'", of: subject)
  }
}
