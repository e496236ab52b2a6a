/// A checksum that finds what disks and crashes do to a file: Fletcher's two sums, eight lanes at a time. It is no
/// protection against somebody who wants to deceive.
enum RenderChecksum {
  /// - Parameter bytes: a multiple of 8.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var sums = SIMD8<UInt32>(repeating: 1)
    var sumsOfSums = SIMD8<UInt32>(repeating: 0)
    var offset = 0
    while offset + 32 <= bytes.count {
      sums &+= bytes.loadUnaligned(fromByteOffset: offset, as: SIMD8<UInt32>.self)
      sumsOfSums &+= sums
      offset += 32
    }
    var result = UInt64(bytes.count)
    while offset + 4 <= bytes.count {
      result = mix(result, bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      offset += 4
    }
    for lane in 0..<8 {
      result = mix(result, sums[lane])
      result = mix(result, sumsOfSums[lane])
    }
    return result
  }

  private static func mix(_ state: UInt64, _ word: UInt32) -> UInt64 {
    let mixed = (state ^ UInt64(word)) &* 0x9e37_79b9_7f4a_7c15
    return mixed ^ mixed >> 32
  }
}
