/// Little-endian numbers and chunk names of RIFF files. The caller has checked the bounds.
extension [UInt8] {
  func uint16(at offset: Int) -> UInt16 { UInt16(self[offset]) | UInt16(self[offset + 1]) << 8 }
  func uint32(at offset: Int) -> UInt32 { UInt32(uint16(at: offset)) | UInt32(uint16(at: offset + 2)) << 16 }
  func uint64(at offset: Int) -> UInt64 { UInt64(uint32(at: offset)) | UInt64(uint32(at: offset + 4)) << 32 }
  /// Four characters, such as a chunk's id.
  func text(at offset: Int) -> String { String(decoding: self[offset..<offset + 4], as: UTF8.self) }

  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
  mutating func append(text: String) { append(contentsOf: text.utf8) }
}
