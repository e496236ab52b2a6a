/// What the samples of a bounce add up to.
struct BlockStatistics {
  /// Linear.
  var peak: Float = 0
  var clippedSampleCount: Int64 = 0
  var invalidSampleCount: Int64 = 0

  /// Looks at the samples of one side; those that are not finite become silence.
  mutating func scan(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    var found = Self.magnitudes(samples, count)
    if found.greatest >= Float.infinity.bitPattern {
      for i in 0..<count where !samples[i].isFinite {
        samples[i] = 0
        invalidSampleCount += 1
      }
      found = Self.magnitudes(samples, count)
    }
    peak = max(peak, Float(bitPattern: found.greatest))
    clippedSampleCount += found.beyondFullScale
  }

  mutating func add(_ other: BlockStatistics) {
    peak = max(peak, other.peak)
    clippedSampleCount += other.clippedSampleCount
    invalidSampleCount += other.invalidSampleCount
  }

  /// The bits of the greatest magnitude, and how many are beyond 1, in one pass. Magnitudes are in the order of their
  /// bits, NaN above all; and bits, unlike floats, have a maximum that the compiler can take eight at a time.
  private static func magnitudes(
    _ samples: UnsafePointer<Float>, _ count: Int
  ) -> (greatest: UInt32, beyondFullScale: Int64) {
    let bytes = UnsafeRawPointer(samples)
    let mask = SIMD8<Int32>(repeating: Int32.max)
    let fullScale = SIMD8<Int32>(repeating: Int32(bitPattern: Float(1).bitPattern))
    var greatest = SIMD8<Int32>(repeating: 0)
    var beyond: Int64 = 0
    var i = 0
    while i + 8 <= count {
      // A lane's count is a 32-bit number, which so many samples cannot fill.
      let end = i + min((count - i) & ~7, 1 << 30)
      var counts = SIMD8<Int32>(repeating: 0)
      while i < end {
        let magnitudes = bytes.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Int32>.self) & mask
        greatest.replace(with: magnitudes, where: magnitudes .> greatest)
        // A difference below 0 leaves its sign, as −1.
        counts &-= (fullScale &- magnitudes) &>> 31
        i += 8
      }
      for lane in counts.indices { beyond += Int64(counts[lane]) }
    }
    var most = UInt32(greatest.max())
    while i < count {
      let magnitude = samples[i].magnitude.bitPattern
      most = max(most, magnitude)
      beyond += magnitude > Float(1).bitPattern ? 1 : 0
      i += 1
    }
    return (most, beyond)
  }
}
