import CZlib

/// A line of a text file with its checksum: CRC-32 as eight hexadecimal digits, a space, JSON, a line feed. A line that
/// was written in part, or changed, is recognised.
enum CheckedLine {
  /// The most bytes of a line.
  static let maximumByteCount = 1 << 17

  static func append(_ object: FlatJSON, to bytes: inout [UInt8]) {
    let body = object.bytes
    bytes += hexadecimal(body.withUnsafeBytes(checksum))
    bytes.append(UInt8(ascii: " "))
    bytes += body
    bytes.append(UInt8(ascii: "\n"))
  }

  /// - Parameter line: without its line feed.
  /// - Returns: `nil` if it is damaged.
  static func parse(_ line: UnsafeRawBufferPointer) -> FlatJSON? {
    guard line.count > 10, line.count < maximumByteCount, line[8] == UInt8(ascii: " ") else { return nil }
    let body = UnsafeRawBufferPointer(rebasing: line[9...])
    guard line[..<8].elementsEqual(hexadecimal(checksum(body))) else { return nil }
    return FlatJSON(parsing: body)
  }

  /// Calls `body` with the object of each line, until it returns false.
  /// - Returns: bytes of the lines that `body` has accepted.
  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (FlatJSON) -> Bool) -> Int {
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      guard let object = parse(UnsafeRawBufferPointer(rebasing: bytes[start..<end])), body(object) else { break }
      start = end + 1
    }
    return start
  }

  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(bytes.count)))
  }

  private static func hexadecimal(_ value: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }.hexadecimalDigits
  }
}

extension [UInt8] {
  /// Two lower-case digits per byte, in ASCII.
  fileprivate var hexadecimalDigits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * count)
    for byte in self {
      for nibble in [byte >> 4, byte & 15] {
        digits.append(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10)
      }
    }
    return digits
  }
}
