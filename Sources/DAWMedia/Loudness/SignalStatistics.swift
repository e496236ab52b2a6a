import Glibc

/// Statistics of a signal.
public struct SignalStatistics: Hashable, Sendable {
  /// The sample peak, linear.
  public var peak: Float
  /// The DC offset of each channel, full scale 1.
  public var offsets: [Double]
  /// The root mean square of all channels between the first and the last audible frame, linear, estimated from every
  /// 16th frame.
  public var rms: Double
  /// The first frame with a sample above −90 dBFS; `nil` if there is none.
  public var firstAudibleFrame: Int64?
  /// The last such frame.
  public var lastAudibleFrame: Int64?

  public init(
    peak: Float = 0, offsets: [Double] = [], rms: Double = 0, firstAudibleFrame: Int64? = nil,
    lastAudibleFrame: Int64? = nil
  ) {
    self.peak = peak
    self.offsets = offsets
    self.rms = rms
    self.firstAudibleFrame = firstAudibleFrame
    self.lastAudibleFrame = lastAudibleFrame
  }

  /// dBFS, −∞ for silence.
  public var peakLevel: Double { 20 * log10(Double(peak)) }

  /// dBFS, −∞ for silence.
  public var rmsLevel: Double { 20 * log10(rms) }

  /// The threshold of audible samples: −90 dBFS, linear.
  public static let audibleMagnitude: Float = 3.162_277_7e-5
}
