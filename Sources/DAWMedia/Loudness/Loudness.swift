import Glibc

/// How loud a programme is.
/// - SeeAlso: ITU-R BS.1770-4; EBU Tech 3341 (integrated loudness, true peak), EBU Tech 3342 (loudness range).
public struct Loudness: Hashable, Sendable {
  /// Integrated, LUFS; `nil` where all of it is under the absolute gate of −70 LUFS, or it is shorter than 400 ms. One
  /// channel counts as it is, not as if it came from two loudspeakers.
  public var integrated: Double?
  /// Loudness range, LU; 0 where it is too short to have one.
  public var range: Double
  /// The highest of any 400 ms, LUFS; `nil` where it is shorter, or silence.
  public var maximumMomentary: Double?
  /// The highest of any 3 s, LUFS; `nil` where it is shorter, or silence.
  public var maximumShortTerm: Double?
  /// The highest peak between the samples, linear; never below the highest sample.
  public var truePeak: Double

  public init(
    integrated: Double?, range: Double, truePeak: Double, maximumMomentary: Double? = nil,
    maximumShortTerm: Double? = nil
  ) {
    self.integrated = integrated
    self.range = range
    self.maximumMomentary = maximumMomentary
    self.maximumShortTerm = maximumShortTerm
    self.truePeak = truePeak
  }

  /// dBTP, −∞ for silence.
  public var truePeakLevel: Double { 20 * log10(truePeak) }
}

/// Why there is no measurement.
public enum LoudnessError: Error, Hashable, Sendable {
  /// libebur128 does not take the rate or the number of channels, or has no memory.
  case unavailable
}
