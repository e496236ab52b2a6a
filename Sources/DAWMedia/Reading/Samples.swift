/// Loops over samples.
enum Samples {
  /// Replaces NaN and infinite samples by 0.
  /// - Returns: how many there were.
  static func silenceNotFinite(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int64 {
    if areAllWithin(.greatestFiniteMagnitude, samples, count: count) { return 0 }
    var found: Int64 = 0
    for index in 0..<count where !samples[index].isFinite {
      samples[index] = 0
      found += 1
    }
    return found
  }

  /// Whether all magnitudes are at most `limit`, which is > 0. False if a sample is NaN.
  static func areAllWithin(_ limit: Float, _ samples: UnsafePointer<Float>, count: Int) -> Bool {
    // Bit patterns order like magnitudes, with NaN on top, and an integer loop vectorises. A negative difference sets
    // the sign bit.
    let largest = Int32(bitPattern: limit.bitPattern)
    var signs: Int32 = 0
    for index in 0..<count {
      signs |= largest &- Int32(bitPattern: samples[index].bitPattern & 0x7fff_ffff)
    }
    return signs >= 0
  }

  /// - Returns: how many samples are beyond ±1.
  static func countBeyondFullScale(_ samples: UnsafePointer<Float>, count: Int) -> Int64 {
    if areAllWithin(1, samples, count: count) { return 0 }
    return (0..<count).reduce(0) { abs(samples[$1]) > 1 ? $0 + 1 : $0 }
  }

  /// Interleaves planar channels.
  /// - Parameters:
  ///   - start: the first frame.
  ///   - target: room for `frames × channels`.
  static func interleave(
    _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, from start: Int, frames: Int,
    into target: UnsafeMutablePointer<Float>
  ) {
    if channels.count == 2 {
      let left = channels[0] + start
      let right = channels[1] + start
      for index in 0..<frames {
        target[2 * index] = left[index]
        target[2 * index + 1] = right[index]
      }
      return
    }
    for (channel, samples) in channels.enumerated() {
      for index in 0..<frames { target[index * channels.count + channel] = samples[start + index] }
    }
  }
}
