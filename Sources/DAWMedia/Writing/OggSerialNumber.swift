/// Sets the serial number of an Ogg file's stream. libsndfile's is random, so the same samples would not give the same
/// bytes; a file with one stream may have any.
/// - SeeAlso: RFC 3533, section 6.
enum OggSerialNumber {
  /// - Parameter number: the descriptor of a file open for reading and writing.
  static func set(_ serial: UInt32, inFile number: Int32) throws(SystemCallFailure) {
    var offset: Int64 = 0
    while let page = try page(at: offset, inFile: number) {
      var bytes = page
      put(serial, at: 14, in: &bytes)
      put(0, at: 22, in: &bytes)
      put(checksum(of: bytes), at: 22, in: &bytes)
      try FileDescriptor.write(Array(bytes[..<27]), to: number, at: offset)
      offset += Int64(bytes.count)
    }
  }

  /// - Returns: the whole page; `nil` if there is none.
  private static func page(at offset: Int64, inFile number: Int32) throws(SystemCallFailure) -> [UInt8]? {
    let header = try bytes(27, at: offset, inFile: number)
    guard header.count == 27, header.text(at: 0) == "OggS" else { return nil }
    let segments = try bytes(Int(header[26]), at: offset + 27, inFile: number)
    let length = 27 + segments.count + segments.reduce(0) { $0 + Int($1) }
    let page = try bytes(length, at: offset, inFile: number)
    return page.count == length ? page : nil
  }

  private static func bytes(_ count: Int, at offset: Int64, inFile number: Int32) throws(SystemCallFailure) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    let done = try FileDescriptor.read(number, into: buffer, at: offset)
    return Array(UnsafeRawBufferPointer(rebasing: buffer[..<done]))
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
