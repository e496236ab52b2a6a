extension String {
  /// The columns that it takes on a terminal.
  var displayWidth: Int {
    isPlain ? utf8.count : reduce(0) { $0 + $1.displayWidth }
  }

  /// Whether it has printable characters of ASCII alone.
  var isPlain: Bool {
    var text = self
    // Without an early exit, so that it is done many bytes at a time.
    return text.withUTF8 { bytes in bytes.reduce(true) { $0 && ($1 &- 0x20 < 0x5f) } }
  }

  /// As much of its beginning, or of its end, as fits, with an ellipsis for the rest.
  func shortened(to width: Int, keepingEnd: Bool = false) -> String {
    guard displayWidth > width else { return self }
    let mark = Glyph.ellipsis
    var room = width - mark.displayWidth
    guard room > 0 else { return String(mark.prefix(max(0, width))) }
    let kept = (keepingEnd ? Array(reversed()) : Array(self)).prefix { character in
      room -= character.displayWidth
      return room >= 0
    }
    return keepingEnd ? mark + String(kept.reversed()) : String(kept) + mark
  }
}

extension Character {
  /// Two columns for East Asian wide characters and emoji, none for a mark that stands alone.
  /// - SeeAlso: Unicode Standard Annex #11
  var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    // The emoji form of a character that also has a plain one.
    if unicodeScalars.contains("\u{fe0f}") || first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
    0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
    0x1f300...0x1f64f, 0x1f900...0x1f9ff, 0x20000...0x3fffd,
  ]
}
