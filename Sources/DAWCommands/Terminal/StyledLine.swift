import DAWModel

/// How text stands out where colours are shown.
enum TextStyle: Equatable {
  case bold, dim, error
  case colored(Color)

  /// The parameters of the escape sequence that turns it on.
  /// - SeeAlso: ECMA-48, 8.3.117, select graphic rendition
  var code: String {
    switch self {
    case .bold: "1"
    case .dim: "2"
    case .error: "1;31"
    case .colored(let color): "38;5;\(Self.index(of: color))"
    }
  }

  private static let indices: [String: Int] = [
    "red": 196, "orange": 208, "yellow": 220, "green": 34, "mint": 121, "teal": 37, "cyan": 51, "blue": 33,
    "indigo": 62, "purple": 135, "magenta": 201, "pink": 212, "brown": 130, "gray": 245, "black": 240, "white": 255,
  ]

  /// The nearest of the 256 colours; black is grey, since most terminals are black.
  private static func index(of color: Color) -> Int {
    if let index = indices[color.name] { return index }
    guard color.name.hasPrefix("#"), let number = Int(color.name.dropFirst(), radix: 16) else { return 33 }
    // A cube of six steps along each side, from 16.
    let steps = [number >> 16 & 0xff, number >> 8 & 0xff, number & 0xff].map { ($0 * 5 + 127) / 255 }
    let index = 16 + 36 * steps[0] + 6 * steps[1] + steps[2]
    return index == 16 ? 240 : index
  }
}

/// A line of output for people, in parts that may stand out.
struct StyledLine: ExpressibleByStringInterpolation {
  var parts: [(text: String, style: TextStyle?)]

  init(_ parts: [(text: String, style: TextStyle?)]) { self.parts = parts }
  init(_ text: String) { parts = [(text, nil)] }
  init(stringLiteral text: String) { self.init(text) }

  var text: String { parts.map(\.text).joined() }

  /// This line, or where it is wider than the terminal, lines that fit, all in the style of its last part.
  func fitted(indentation: Int) -> [StyledLine] {
    let lines = TextWrapping.fittedLines(TerminalText.line(text), width: Terminal.columns(), indentation: indentation)
    return lines == [TerminalText.line(text)] ? [self] : lines.map { StyledLine([($0, parts.last?.style)]) }
  }

  /// Harmless for a terminal, with escape sequences of our own where colours are shown.
  func rendered(inColor isColored: Bool) -> String {
    var line = ""
    for part in parts {
      let text = TerminalText.line(part.text)
      if isColored, let style = part.style, !text.isEmpty {
        line += "\u{1B}[\(style.code)m\(text)\u{1B}[0m"
      } else {
        line += text
      }
    }
    return line
  }
}
