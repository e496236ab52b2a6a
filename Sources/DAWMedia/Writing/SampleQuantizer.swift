/// Quantises Float samples, full scale ±1: times 2^(bits−1), rounded to nearest, ties to even, clipped to the range.
///
/// - SeeAlso: H. S. Warren, Hacker's Delight, 2nd edition, chapter 17, for rounding by adding a constant to a Double.
///   SSE2 has no rounding instruction, and this vectorises on any processor.
struct SampleQuantizer {
  private let scale: Double
  private let lowest: Double
  private let highest: Double

  /// - Parameter bits: 16, 24 or 32.
  init(bits: Int) {
    scale = Double(UInt64(1) << (bits - 1))
    lowest = -scale
    highest = scale - 1
  }

  /// - Returns: samples that were out of range or NaN.
  func quantize(
    _ samples: UnsafePointer<Float>, count: Int, into integers: UnsafeMutablePointer<Int32>
  ) -> Int64 {
    if Samples.areAllWithin(Self.safe, samples, count: count) {
      for index in 0..<count {
        integers[index] = Int32(truncatingIfNeeded: (Double(samples[index]) * scale + Self.shift).bitPattern)
      }
      return 0
    }
    var clipped: Int64 = 0
    for index in 0..<count {
      let rounded = (Double(samples[index]) * scale + Self.shift) - Self.shift
      var held = rounded > highest ? highest : rounded
      held = held < lowest ? lowest : held
      held = held == held ? held : 0
      clipped &+= held == rounded ? 0 : 1
      integers[index] = Int32(truncatingIfNeeded: (held + Self.shift).bitPattern)
    }
    return clipped
  }

  /// The same with dither.
  /// - Parameters:
  ///   - samples: whole frames, interleaved.
  ///   - frame: the number of the first frame.
  func quantize(
    _ samples: UnsafePointer<Float>, count: Int, into integers: UnsafeMutablePointer<Int32>,
    dither: TriangularDither, frame: Int64, channelCount: Int
  ) -> Int64 {
    var clipped: Int64 = 0
    for (number, start) in stride(from: 0, to: count, by: channelCount).enumerated() {
      for channel in 0..<channelCount {
        let noise = dither.value(frame: frame + Int64(number), channel: channel)
        let rounded = (Double(samples[start + channel]) * scale + noise + Self.shift) - Self.shift
        let held = rounded == rounded ? min(max(rounded, lowest), highest) : 0
        clipped &+= held == rounded ? 0 : 1
        integers[start + channel] = Int32(truncatingIfNeeded: (held + Self.shift).bitPattern)
      }
    }
    return clipped
  }

  /// A sample of at most this magnitude cannot be out of range after rounding, not even at 16 bits.
  private static let safe: Float = 0.9999
  /// Large enough that a Double of this size has no fraction bits, small enough that it has all integer bits.
  private static let shift = 0x1.8p52
}
