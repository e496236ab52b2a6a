/// What an instrument does with its own sound, by FluidSynth's parameters.
public struct InstrumentEffects: Hashable, Sendable {
  /// Linear, ≥ 0, on top of what FluidSynth gives by itself.
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

  /// As loud as FluidSynth by itself, and dry.
  public static let none = InstrumentEffects()

  /// Whether something rings on when every voice is over.
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
