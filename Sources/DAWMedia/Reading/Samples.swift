/// Loops over samples.
enum Samples {
  /// Puts silence in place of what is infinite or not a number.
  /// - Returns: how many samples that were.
  static func silenceNotFinite(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int64 {
    // The sum of the exponents' bits alone is a branch-free pass that the compiler turns into vector code; the
    // second pass is for the rare file that needs it.
    var found: Int32 = 0
    for index in 0..<count { found &+= samples[index].bitPattern & exponent == exponent ? 1 : 0 }
    if found == 0 { return 0 }
    for index in 0..<count where !samples[index].isFinite { samples[index] = 0 }
    return Int64(found)
  }

  /// Puts one buffer for each channel into one, the channels one after the other within each frame.
  /// - Parameters:
  ///   - start: the first frame taken.
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

  private static let exponent: UInt32 = 0x7f80_0000
}
