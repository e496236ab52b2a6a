import DAWModel

/// A part of a text around what was found in it.
public struct SearchExcerpt: Equatable, Sendable {
  public struct Part: Equatable, Sendable {
    public var text: String
    /// Whether it is what was looked for.
    public var isMatch: Bool
  }

  public var parts: [Part]

  public var text: String { parts.map(\.text).joined() }

  /// - Parameters:
  ///   - places: what was found, in order and without overlaps.
  ///   - length: of the excerpt, in characters. What is left out before and behind it shows as "…".
  init(of text: String, _ places: [Range<String.Index>], length: Int) {
    guard let first = places.first else {
      parts = []
      return
    }
    let found = text.distance(from: first.lowerBound, to: first.upperBound)
    let before = max(0, length - found) / 3
    var start = text.index(first.lowerBound, offsetBy: -before, limitedBy: text.startIndex) ?? text.startIndex
    var end = text.index(start, offsetBy: max(length, found), limitedBy: text.endIndex) ?? text.endIndex
    if end == text.endIndex {
      start = text.index(end, offsetBy: -length, limitedBy: text.startIndex) ?? text.startIndex
      start = min(start, first.lowerBound)
    }
    // Words are not cut, unless they are long.
    if start > text.startIndex, !text[text.index(before: start)].isSpace,
      let space = text[start..<first.lowerBound].firstIndex(where: \.isSpace)
    {
      start = text.index(after: space)
    }
    if end < text.endIndex, !text[end].isSpace, end > first.upperBound,
      let space = text[first.upperBound..<end].lastIndex(where: \.isSpace)
    {
      end = space
    }
    parts = start > text.startIndex ? [Part(text: "…", isMatch: false)] : []
    var place = start
    for range in places where range.lowerBound >= start && range.upperBound <= end {
      parts.append(Part(text: Self.onOneLine(text[place..<range.lowerBound]), isMatch: false))
      parts.append(Part(text: Self.onOneLine(text[range]), isMatch: true))
      place = range.upperBound
    }
    parts.append(Part(text: Self.onOneLine(text[place..<end]) + (end < text.endIndex ? "…" : ""), isMatch: false))
    parts.removeAll(where: \.text.isEmpty)
  }

  private static func onOneLine(_ text: Substring) -> String {
    // As nearly always: ASCII that has no spaces but single ones.
    var isSpace = false
    let isPlain = text.utf8.allSatisfy { byte in
      defer { isSpace = byte == 0x20 }
      return (0x20...0x7e).contains(byte) && !(isSpace && byte == 0x20)
    }
    if isPlain { return String(text) }
    var line = ""
    for character in text {
      if !character.isSpace { line.append(character) } else if line.last != " " { line.append(" ") }
    }
    return line
  }
}
