import CSampleCodec

/// Peak, clipped and invalid samples of a block or a bounce.
struct BlockStatistics {
  /// Linear.
  var peak: Float = 0
  var clippedSampleCount: Int64 = 0
  var invalidSampleCount: Int64 = 0

  /// Scans one side's samples; NaN and infinite ones are replaced by 0 and counted.
  mutating func scan(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    var beyondFullScale = 0
    var greatest = daw_greatest_magnitude(daw_best_path(), samples, count, &beyondFullScale)
    if greatest >= Float.infinity.bitPattern {
      for i in 0..<count where !samples[i].isFinite {
        samples[i] = 0
        invalidSampleCount += 1
      }
      greatest = daw_greatest_magnitude(daw_best_path(), samples, count, &beyondFullScale)
    }
    peak = max(peak, Float(bitPattern: greatest))
    clippedSampleCount += Int64(beyondFullScale)
  }

  mutating func add(_ other: BlockStatistics) {
    peak = max(peak, other.peak)
    clippedSampleCount += other.clippedSampleCount
    invalidSampleCount += other.invalidSampleCount
  }
}
