/// An ID3v2 tag: text and pictures before the sound.
///
/// - SeeAlso: ID3 tag version 2.4.0, main structure, section 3.
enum ID3Tag {
  /// How long a tag is that begins so, header and footer included; `nil` for what is none.
  static func byteCount(_ bytes: [UInt8]) -> Int64? {
    guard bytes.count >= 10, bytes.starts(with: "ID3".utf8), bytes[6..<10].allSatisfy({ $0 < 0x80 }) else { return nil }
    let hasFooter = bytes[5] & 0x10 != 0
    return bytes[6..<10].reduce(0) { $0 << 7 | Int64($1) } + (hasFooter ? 20 : 10)
  }
}
