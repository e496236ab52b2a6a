/// A sound of a SoundFont, and what is done to it before the track's fader.
public struct Instrument: Hashable, Sendable, Codable {
  /// `nil` where none was found when the track was made.
  public var soundFont: SoundFontID?
  /// 0 … 16,383, as bank select MSB × 128 + LSB.
  public var bank: Int
  /// 0 … 127.
  public var program: Int
  /// Relative to what FluidSynth gives by itself.
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

/// FluidSynth's reverb, by its own parameters and defaults, but off.
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

/// FluidSynth's chorus, by its own parameters and defaults, but off.
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
