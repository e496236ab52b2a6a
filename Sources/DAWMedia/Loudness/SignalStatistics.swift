import Glibc

/// What samples add up to.
public struct SignalStatistics: Hashable, Sendable {
  /// The greatest magnitude, linear.
  public var peak: Float
  /// The mean of each channel, full scale 1.
  public var offsets: [Double]
  /// The first frame of which a sample is above −90 dBFS; `nil` where none is.
  public var firstAudibleFrame: Int64?
  /// The last one.
  public var lastAudibleFrame: Int64?

  public init(
    peak: Float = 0, offsets: [Double] = [], firstAudibleFrame: Int64? = nil, lastAudibleFrame: Int64? = nil
  ) {
    self.peak = peak
    self.offsets = offsets
    self.firstAudibleFrame = firstAudibleFrame
    self.lastAudibleFrame = lastAudibleFrame
  }

  /// dBFS, −∞ for silence.
  public var peakLevel: Double { 20 * log10(Double(peak)) }

  /// −90 dBFS, linear: above it sound begins.
  public static let audibleMagnitude: Float = 3.162_277_7e-5
}
