/// What the samples of a bounce add up to.
struct BlockStatistics {
  /// Linear.
  var peak: Float = 0
  var clippedSampleCount: Int64 = 0
  var invalidSampleCount: Int64 = 0

  /// Looks at the samples of one side; those that are not finite become silence.
  mutating func scan(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    var greatest = Self.greatestMagnitude(samples, count)
    if greatest >= Float.infinity.bitPattern {
      for i in 0..<count where !samples[i].isFinite {
        samples[i] = 0
        invalidSampleCount += 1
      }
      greatest = Self.greatestMagnitude(samples, count)
    }
    let magnitude = Float(bitPattern: greatest)
    if magnitude > 1 {
      for i in 0..<count where abs(samples[i]) > 1 { clippedSampleCount += 1 }
    }
    peak = max(peak, magnitude)
  }

  mutating func add(_ other: BlockStatistics) {
    peak = max(peak, other.peak)
    clippedSampleCount += other.clippedSampleCount
    invalidSampleCount += other.invalidSampleCount
  }

  /// The bits of the greatest magnitude. Magnitudes are in the order of their bits, NaN above all; and bits, unlike
  /// floats, have a maximum that the compiler can take eight at a time.
  private static func greatestMagnitude(_ samples: UnsafePointer<Float>, _ count: Int) -> UInt32 {
    let mask: UInt32 = 0x7fff_ffff
    let bytes = UnsafeRawPointer(samples)
    var lanes = SIMD8<Int32>(repeating: 0)
    let masks = SIMD8<Int32>(repeating: Int32(mask))
    var i = 0
    while i + 8 <= count {
      let magnitudes = bytes.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Int32>.self) & masks
      lanes.replace(with: magnitudes, where: magnitudes .> lanes)
      i += 8
    }
    var greatest = UInt32(lanes.max())
    while i < count {
      greatest = max(greatest, samples[i].bitPattern & mask)
      i += 1
    }
    return greatest
  }
}
