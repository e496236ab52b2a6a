/// Sets the serial number of an Ogg file's stream, and counts its pages. libsndfile's serial number is random, so the
/// same samples would not give the same bytes; a file with one stream may have any. Pages of tags change the count.
/// - SeeAlso: RFC 3533, section 6.
enum OggPageNumbers {
  /// - Parameter number: the descriptor of a file open for reading and writing.
  static func set(serial: UInt32, inFile number: Int32) throws(SystemCallFailure) {
    var offset: Int64 = 0
    var index: UInt32 = 0
    while let page = try FileHead.oggPage(at: offset, inFile: number) {
      var bytes = page
      put(serial, at: 14, in: &bytes)
      put(index, at: 18, in: &bytes)
      put(0, at: 22, in: &bytes)
      put(checksum(of: bytes), at: 22, in: &bytes)
      try FileDescriptor.write(Array(bytes[..<27]), to: number, at: offset)
      offset += Int64(bytes.count)
      index += 1
    }
  }

  private static func put(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
    for byte in 0..<4 { bytes[offset + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(byte))) }
  }

  /// Ogg's CRC-32: polynomial 0x04c11db7, most significant bit first, initial value 0, not inverted.
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    bytes.reduce(0) { $0 << 8 ^ table[Int(UInt8(truncatingIfNeeded: $0 >> 24) ^ $1)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in value << 1 ^ (value >> 31 == 1 ? 0x04c1_1db7 : 0) }
  }
}
