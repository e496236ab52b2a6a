/// The least and the greatest sample of a channel within a point, full scale ±1.
public struct Peak: Hashable, Sendable {
  public var minimum: Float
  public var maximum: Float

  public init(minimum: Float, maximum: Float) {
    self.minimum = minimum
    self.maximum = maximum
  }
}

extension Peak {
  /// Extends the range by another's.
  mutating func widen(by other: Peak) {
    minimum = other.minimum < minimum ? other.minimum : minimum
    maximum = other.maximum > maximum ? other.maximum : maximum
  }
}

/// The inner loop of the peak scan.
enum PeakScan {
  /// - Parameters:
  ///   - peaks: one for each channel; extended.
  ///   - samples: `frames` frames, interleaved, all finite.
  static func widen(_ peaks: inout [Peak], _ samples: UnsafePointer<Float>, frames: Int) {
    let channels = peaks.count
    let count = frames * channels
    var index = 0
    if 8 % channels == 0, count >= 8 {
      // Each lane always has the same channel. A plain loop does not vectorise, because the compiler has to respect
      // NaN.
      let start = UnsafeRawPointer(samples)
      var lowest = SIMD8<Float>(repeating: .infinity)
      var highest = SIMD8<Float>(repeating: -.infinity)
      while index + 8 <= count {
        let value = start.loadUnaligned(fromByteOffset: index * 4, as: SIMD8<Float>.self)
        lowest.replace(with: value, where: value .< lowest)
        highest.replace(with: value, where: value .> highest)
        index += 8
      }
      for lane in 0..<8 {
        peaks[lane % channels].widen(by: Peak(minimum: lowest[lane], maximum: highest[lane]))
      }
    }
    while index < count {
      peaks[index % channels].widen(by: Peak(minimum: samples[index], maximum: samples[index]))
      index += 1
    }
  }
}
