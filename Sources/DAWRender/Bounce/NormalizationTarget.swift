import DAWErrors
import DAWMedia
import Foundation

/// The target of a normalisation.
public enum NormalizationTarget: Hashable, Sendable {
  /// Integrated loudness, LUFS, −70 … 0.
  case loudness(Double)
  /// dBTP ≤ 0.
  case truePeak(Double)
  /// dBFS ≤ 0.
  case samplePeak(Double)

  /// Default true-peak ceiling, dBTP.
  static let usualCeiling = -1.0
  /// Tolerance of the loudness, in LU, before the gain is corrected.
  static let tolerance = 0.1

  /// The gain from the measured level to the target.
  /// - Parameters:
  ///   - ceiling: dBTP; `nil`: `usualCeiling` for a loudness, none for a peak.
  ///   - isLimited: whether what exceeds the ceiling is limited, not refused.
  /// - Returns: dB.
  /// - Throws: `Failure` for silence, or when the ceiling would be exceeded.
  func gain(from loudness: Loudness, peak: Double, ceiling: Double?, isLimited: Bool = false) throws -> Double {
    let measured: Double?
    let wanted: Double
    let limit: Double?
    switch self {
    case .loudness(let level): (measured, wanted, limit) = (loudness.integrated, level, ceiling ?? Self.usualCeiling)
    case .truePeak(let level): (measured, wanted, limit) = (loudness.truePeakLevel, level, ceiling)
    case .samplePeak(let level): (measured, wanted, limit) = (peak, level, ceiling)
    }
    guard let measured, measured.isFinite else {
      throw Failure(
        .invalid, code: "silent", "All of it is too quiet to be normalised. Nothing was written.",
        hint: "Look at mutes, solos and volumes with 'daw list-tracks', and at what moves them with 'daw list-lanes'.")
    }
    let gain = wanted - measured
    // A tolerance for rounding: a target exactly at the ceiling is accepted.
    if let limit, !isLimited, loudness.truePeakLevel + gain > limit + 0.0001 {
      let (needed, highest) = (loudness.truePeakLevel + gain, measured + limit - loudness.truePeakLevel)
      throw Failure(
        .invalid, code: "ceilingExceeded",
        "\(text(wanted)) would bring the true peak to \(decimals(needed)) dBTP, above the ceiling of "
          + "\(decimals(limit)) dBTP. Nothing was written.",
        hint:
          "The highest that is possible is \(text((highest * 10).rounded(.down) / 10)); or tame the peaks with "
          + "--limit, or give a higher --ceiling.")
    }
    return gain
  }

  private func text(_ level: Double) -> String {
    switch self {
    case .loudness: "\(decimals(level)) LUFS"
    case .truePeak: "\(decimals(level)) dBTP"
    case .samplePeak: "\(decimals(level)) dBFS"
    }
  }

  private func decimals(_ value: Double) -> String { String(format: "%.1f", value) }
}
