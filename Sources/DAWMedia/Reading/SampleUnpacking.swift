/// From a file's bytes to Float, full scale ±1: an integer x of b bits becomes x / 2^(b−1), to the bit what libsndfile
/// gives.
enum SampleUnpacking {
  /// - Parameters:
  ///   - bytes: `count` samples, little-endian, aligned to 8.
  ///   - samples: room for `count`.
  static func unpack(
    _ bytes: UnsafeRawPointer, _ encoding: SampleEncoding, count: Int, into samples: UnsafeMutablePointer<Float>
  ) {
    switch encoding {
    case .uint8:
      let source = bytes.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count { samples[index] = Float(Int32(source[index]) - 128) * 0x1p-7 }
    case .int16:
      let source = bytes.assumingMemoryBound(to: Int16.self)
      for index in 0..<count { samples[index] = Float(Int16(littleEndian: source[index])) * 0x1p-15 }
    case .int24:
      let source = bytes.assumingMemoryBound(to: UInt8.self)
      for index in 0..<count {
        let low = UInt32(source[3 * index]) << 8 | UInt32(source[3 * index + 1]) << 16
        let value = Int32(bitPattern: low | UInt32(source[3 * index + 2]) << 24)
        samples[index] = Float(value) * 0x1p-31
      }
    case .int32:
      let source = bytes.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { samples[index] = Float(Int32(littleEndian: source[index])) * 0x1p-31 }
    case .float32:
      samples.update(from: bytes.assumingMemoryBound(to: Float.self), count: count)
    case .float64:
      let source = bytes.assumingMemoryBound(to: Double.self)
      for index in 0..<count { samples[index] = Float(source[index]) }
    }
  }
}
