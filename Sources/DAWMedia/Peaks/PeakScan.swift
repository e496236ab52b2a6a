/// The loop that finds the smallest and the largest sample of each channel.
enum PeakScan {
  /// - Parameters:
  ///   - peaks: one for each channel; made wider by what is found.
  ///   - samples: `frames` frames, interleaved, all finite.
  static func widen(_ peaks: inout [Peak], _ samples: UnsafePointer<Float>, frames: Int) {
    let channels = peaks.count
    let count = frames * channels
    var index = 0
    if 8 % channels == 0, count >= 8 {
      // Lane by lane: a lane always meets the same channel. A plain loop is not turned into vector code, since the
      // order in which floats are compared counts where one is not a number.
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
