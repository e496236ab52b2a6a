/// Text that comes from files, from names and from what was typed, made harmless for a terminal: control characters,
/// which a terminal obeys, and characters that hide or reorder the text beside them are shown by their number.
enum TerminalText {
  /// One line: each such character, line ends included, as `\u{1B}`.
  static func line(_ text: String) -> String {
    escaping(text) { scalar, result in
      result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
    }
  }

  /// JSON, of one or more lines: each such character as JSON's own escape, which reads back as the same text.
  static func json(_ text: String) -> String {
    escaping(text, but: "\n") { scalar, result in
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        result.append(contentsOf: "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".unicodeScalars)
      }
    }
  }

  private static func escaping(
    _ text: String, but kept: Unicode.Scalar? = nil,
    _ escape: (Unicode.Scalar, inout String.UnicodeScalarView) -> Void
  ) -> String {
    // Nearly all is plain ASCII, and JSON comes by the hundred megabytes.
    let end = kept.map { UInt8(truncatingIfNeeded: $0.value) } ?? 0x20
    var text = text
    let isPlain = text.withUTF8 { bytes in
      // Without an early exit, so that it is done many bytes at a time.
      bytes.reduce(true) { $0 && ($1 &- 0x20 < 0x5f || $1 == end) }
    }
    guard !isPlain else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar != kept, isHarmful(scalar) { escape(scalar, &result) } else { result.append(scalar) }
    }
    return String(result)
  }

  /// Zero-width joiners stay: scripts and emoji are written with them.
  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0, delete, C1.
    case 0...0x1f, 0x7f...0x9f: true
    // Marks, overrides and isolates of the writing direction.
    case 0x061c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    // Line and paragraph separators.
    case 0x2028...0x2029: true
    // What takes no room: soft hyphen, zero-width space, word joiner and its kin, byte order mark, annotations, tags.
    case 0xad, 0x180e, 0x200b, 0x2060...0x2065, 0x206a...0x206f, 0xfeff, 0xfff9...0xfffb, 0xe0000...0xe007f: true
    default: false
    }
  }
}
