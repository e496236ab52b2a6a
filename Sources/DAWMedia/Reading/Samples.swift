/// Loops over samples.
enum Samples {
  /// Puts silence in place of what is infinite or not a number.
  /// - Returns: how many samples that were.
  static func silenceNotFinite(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Int64 {
    if areAllWithin(.greatestFiniteMagnitude, samples, count: count) { return 0 }
    var found: Int64 = 0
    for index in 0..<count where !samples[index].isFinite {
      samples[index] = 0
      found += 1
    }
    return found
  }

  /// Whether no sample is larger than `limit`, above 0, in magnitude, and each is a number.
  static func areAllWithin(_ limit: Float, _ samples: UnsafePointer<Float>, count: Int) -> Bool {
    // As integers, magnitudes have the order that they have as floats, with what is no number on top; and a loop over
    // integers is turned into vector code. A difference below 0 leaves its sign.
    let largest = Int32(bitPattern: limit.bitPattern)
    var signs: Int32 = 0
    for index in 0..<count {
      signs |= largest &- Int32(bitPattern: samples[index].bitPattern & 0x7fff_ffff)
    }
    return signs >= 0
  }

  /// The greatest magnitude; 0 for none. No sample may be anything but a finite number.
  static func greatestMagnitude(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    // Magnitudes are in the order of their bits, of which, unlike of floats, a maximum can be taken eight at a time.
    let bytes = UnsafeRawPointer(samples)
    let mask = SIMD8<Int32>(repeating: 0x7fff_ffff)
    var lanes = SIMD8<Int32>(repeating: 0)
    var i = 0
    while i + 8 <= count {
      let magnitudes = bytes.loadUnaligned(fromByteOffset: 4 * i, as: SIMD8<Int32>.self) & mask
      lanes.replace(with: magnitudes, where: magnitudes .> lanes)
      i += 8
    }
    var greatest = lanes.max()
    while i < count {
      greatest = max(greatest, Int32(bitPattern: samples[i].bitPattern & 0x7fff_ffff))
      i += 1
    }
    return Float(bitPattern: UInt32(greatest))
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
}
