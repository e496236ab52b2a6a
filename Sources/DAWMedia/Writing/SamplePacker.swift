import CSampleCodec

/// Converts Float samples, full scale ±1, to little-endian bytes of a WAV.
struct SamplePacker {
  let encoding: SampleEncoding
  /// The most samples at once, so that temporary data fits the L1 cache.
  static let maximumCount = 4_096

  private let quantizer: SampleQuantizer
  private let channelCount: Int
  private let dither: Dither
  private let integers: UnsafeMutablePointer<Int32>

  /// - Parameter integers: scratch space for `maximumCount` samples.
  init(encoding: SampleEncoding, channelCount: Int, dither: Dither, integers: UnsafeMutablePointer<Int32>) {
    self.encoding = encoding
    self.channelCount = channelCount
    self.dither = dither
    self.integers = integers
    quantizer = SampleQuantizer(bits: min(encoding.bitsPerSample, 32))
  }

  /// - Parameters:
  ///   - count: 0 … `maximumCount`, whole frames.
  ///   - frame: the number of the first frame, for dither.
  ///   - bytes: room for `count` samples.
  /// - Returns: clipped samples.
  func pack(
    _ samples: UnsafePointer<Float>, count: Int, frame: Int64, into bytes: UnsafeMutableRawPointer
  ) -> Int64 {
    switch encoding {
    case .float32:
      bytes.copyMemory(from: samples, byteCount: count * 4)
      return 0
    case .float64:
      for index in 0..<count { bytes.storeBytes(of: Double(samples[index]), toByteOffset: index * 8, as: Double.self) }
      return 0
    case .int16 where dither == .none:
      return Int64(daw_pack(daw_best_path(), DAW_SAMPLE_S16, samples, count, bytes))
    case .int24 where dither == .none:
      return Int64(daw_pack(daw_best_path(), DAW_SAMPLE_S24, samples, count, bytes))
    case .uint8, .int16:
      let clipped = quantize(samples, count, frame)
      for index in 0..<count {
        let value = Int16(truncatingIfNeeded: integers[index]).littleEndian
        bytes.storeBytes(of: value, toByteOffset: index * 2, as: Int16.self)
      }
      return clipped
    case .int24:
      let clipped = quantize(samples, count, frame)
      pack24(count, into: bytes)
      return clipped
    case .int32:
      let clipped = quantize(samples, count, frame)
      for index in 0..<count {
        bytes.storeBytes(of: integers[index].littleEndian, toByteOffset: index * 4, as: Int32.self)
      }
      return clipped
    }
  }

  private func quantize(_ samples: UnsafePointer<Float>, _ count: Int, _ frame: Int64) -> Int64 {
    switch dither {
    case .none: quantizer.quantize(samples, count: count, into: integers)
    case .triangular:
      quantizer.quantize(
        samples, count: count, into: integers, dither: TriangularDither(), frame: frame, channelCount: channelCount)
    }
  }

  /// Four 24-bit samples make three words.
  private func pack24(_ count: Int, into bytes: UnsafeMutableRawPointer) {
    let whole = count & ~3
    var target = bytes
    for index in stride(from: 0, to: whole, by: 4) {
      let a = UInt64(UInt32(bitPattern: integers[index]) & 0xff_ffff)
      let b = UInt64(UInt32(bitPattern: integers[index + 1]) & 0xff_ffff)
      let c = UInt64(UInt32(bitPattern: integers[index + 2]) & 0xff_ffff)
      let d = UInt32(bitPattern: integers[index + 3]) & 0xff_ffff
      let low: UInt64 = a | b << 24 | c << 48
      let high: UInt32 = UInt32(truncatingIfNeeded: c >> 16) | d << 8
      target.storeBytes(of: low.littleEndian, as: UInt64.self)
      target.storeBytes(of: high.littleEndian, toByteOffset: 8, as: UInt32.self)
      target += 12
    }
    for index in whole..<count {
      let value = UInt32(bitPattern: integers[index])
      for byte in 0..<3 {
        target.storeBytes(
          of: UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte))), toByteOffset: byte, as: UInt8.self)
      }
      target += 3
    }
  }
}
