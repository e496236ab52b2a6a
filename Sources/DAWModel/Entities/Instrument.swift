/// What a MIDI track plays with: a SoundFont preset, its gain, reverb and chorus, before the track's fader.
///
/// Its id is that of its track.
public struct Instrument: Hashable, Sendable, Identifiable {
  /// What a gain of 0 dB refers to.
  public enum GainReference: String, CaseIterable, Sendable {
    /// FluidSynth's default gain. Instruments of projects made before version 3 of the file.
    case fluidSynth
    /// A gain at which music is about as loud as recordings are.
    case calibrated
  }

  public var id: InstrumentID
  /// `nil` if no SoundFont was found when the track was added.
  public var soundFont: SoundFontID?
  /// Bank select MSB × 128 + LSB, 0 … 16,383.
  public var bank: Int
  /// 0 … 127.
  public var program: Int
  /// Relative to `gainReference`.
  public var gain: Level
  public var reverb: Reverb
  public var chorus: Chorus
  public var gainReference: GainReference

  public init(
    of track: TrackID, soundFont: SoundFontID? = nil, bank: Int = 0, program: Int = 0, gain: Level = .unity,
    reverb: Reverb = Reverb(), chorus: Chorus = Chorus(), gainReference: GainReference = .calibrated
  ) {
    id = InstrumentID(of: track)
    self.soundFont = soundFont
    self.bank = bank
    self.program = program
    self.gain = gain
    self.reverb = reverb
    self.chorus = chorus
    self.gainReference = gainReference
  }

  public var track: TrackID { TrackID(rawValue: id.rawValue) }
}

extension InstrumentID {
  /// The id of a track's instrument.
  public init(of track: TrackID) { self.init(rawValue: track.rawValue) }
}

/// FluidSynth's reverb, with its parameters and defaults, but off by default.
public struct Reverb: Hashable, Sendable {
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
public struct Chorus: Hashable, Sendable {
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

extension Instrument: Entity {
  public static let kind = EntityKind.instrument
  public static let noun = "instrument"
  public static let table = "instrument"
  public static let parents = [ParentReference(.track, column: "id")]
  public static let collection: RowCollection<Instrument>? = \Project.instruments

  public static let fields: [Field<Instrument>] = [
    Field("soundFont", \.soundFont, rule: .instrument),
    Field("bank", \.bank, rule: .instrument),
    Field("program", \.program, rule: .instrument),
    Field("gain", \.gain, rule: .gain),
    Field("hasReverb", \.reverb.isOn, rule: .flag),
    Field("reverbRoomSize", \.reverb.roomSize, rule: .reverb),
    Field("reverbDamping", \.reverb.damping, rule: .reverb),
    Field("reverbWidth", \.reverb.width, rule: .reverb),
    Field("reverbLevel", \.reverb.level, rule: .reverb),
    Field("hasChorus", \.chorus.isOn, rule: .flag),
    Field("chorusVoices", \.chorus.voiceCount, rule: .chorus),
    Field("chorusLevel", \.chorus.level, rule: .chorus),
    Field("chorusSpeed", \.chorus.speed, rule: .chorus),
    Field("chorusDepth", \.chorus.depth, rule: .chorus),
    Field("gainReference", \.gainReference, rule: .gainReference),
  ]

  public init(blank id: InstrumentID) { self.init(of: TrackID(rawValue: id.rawValue)) }

  public var subject: String { "the instrument of a track" }

  public func validate() throws(RuleViolation) {
    try requireID()
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

  public func validate(in tables: some ModelTables, replacing old: Instrument?) throws {
    let track = try tables.require(track)
    try require(
      track.trackType == .midi, .instrument, "an instrument on a track of type \(track.trackType.rawValue)",
      of: track.subject)
    if let soundFont { _ = try tables.require(soundFont) }
  }
}
