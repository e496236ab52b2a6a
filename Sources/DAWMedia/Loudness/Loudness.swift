import DAWErrors
import Glibc

/// The loudness of a programme.
/// - SeeAlso: ITU-R BS.1770-4; EBU Tech 3341 (integrated loudness, true peak), EBU Tech 3342 (loudness range).
public struct Loudness: Hashable, Sendable {
  /// Integrated loudness, LUFS; `nil` if all of it is below the absolute gate of −70 LUFS, or it is shorter than 400
  /// ms. A mono programme is measured as one channel, not as two loudspeakers.
  public var integrated: Double?
  /// Loudness range, LU; 0 if it is too short.
  public var range: Double
  /// Maximum momentary loudness (400 ms), LUFS; `nil` if it is shorter, or silent.
  public var maximumMomentary: Double?
  /// Maximum short-term loudness (3 s), LUFS; `nil` if it is shorter, or silent.
  public var maximumShortTerm: Double?
  /// True peak, linear; at least the sample peak.
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

/// Why loudness cannot be measured.
public enum LoudnessError: Error, Hashable, Sendable {
  /// libebur128 is not installed, does not support the rate or the number of channels, or memory is short.
  case unavailable
}

extension LoudnessError: DAWError {
  public var kind: ErrorKind { .unavailable }
  public var code: String { "loudnessUnavailable" }

  public var message: String {
    "Loudness cannot be measured: libebur128 is not installed, or refuses the rate or the number of channels."
  }

  public var hint: String? { "'apt install libebur128-1' installs it." }
}
