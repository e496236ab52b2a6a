import DAWMedia
import DAWModel
import DAWTime

/// The levels of strips over a range of the timeline.
public struct LevelsReport: Equatable, Sendable {
  public var start: FlickPosition
  public var frameCount: Int64
  public var sampleRate: SampleRate
  public var revision: Int64
  /// In the order of the mixer, the master last.
  public var strips: [StripLevels]
  /// As sentences.
  public var warnings: [String]

  public var duration: Double { Double(frameCount) / Double(sampleRate.hertz) }
}

/// What a strip gives to its output, behind its fader, pan and effects.
public struct StripLevels: Equatable, Sendable {
  public var track: Track
  /// The sample peak, dBFS; −∞ for silence.
  public var peakLevel = -Double.infinity
  /// dBTP; −∞ for silence.
  public var truePeakLevel = -Double.infinity
  /// LUFS; `nil` if all of it is below the absolute gate of −70 LUFS, or it is shorter than 400 ms.
  public var integratedLoudness: Double?
  /// Its compressors, gates and limiters, in the order of the strip.
  public var effects: [EffectReduction] = []

  public var isSilent: Bool { peakLevel == -.infinity }
}

/// What a dynamics effect takes away.
public struct EffectReduction: Equatable, Sendable {
  public var effect: Effect
  /// dB ≥ 0: the most, and the mean of the levels over all frames of the range and both sides. `nil` if the effect was
  /// not computed: it is off or bypassed, or the strip is not heard.
  public var most: Double?
  public var mean: Double?
}
