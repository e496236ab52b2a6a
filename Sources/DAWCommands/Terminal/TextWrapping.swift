/// Text broken between words, for a terminal.
enum TextWrapping {
  /// - Parameters:
  ///   - width: in columns; `nil` leaves the line as it is.
  ///   - indentation: blanks before all lines but the first.
  static func lines(_ text: String, width: Int?, indentation: Int = 0) -> [String] {
    guard let width, text.displayWidth > width else { return [text] }
    let margin = String(text.prefix { $0 == " " })
    var lines: [String] = []
    var line = margin
    var isEmpty = true
    for word in text.dropFirst(margin.count).split(separator: " ", omittingEmptySubsequences: false) {
      if isEmpty {
        line += word
        isEmpty = false
      } else if line.displayWidth + 1 + String(word).displayWidth <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(repeating: " ", count: indentation) + word
      }
    }
    return lines + [line]
  }

  /// The text's lines, as `lines` makes them, with each word shortened that is wider than a line.
  static func fittedLines(_ text: String, width: Int?, indentation: Int = 0) -> [String] {
    lines(text, width: width, indentation: indentation).map { line in width.map { line.shortened(to: $0) } ?? line }
  }

  /// A command of the shell, broken where it is wider, so that it can be pasted all the same: at blanks outside of
  /// quotes, each with a backslash before it.
  /// - Parameter width: in columns.
  static func command(_ text: String, width: Int) -> [String] {
    guard text.displayWidth > width else { return [text] }
    let margin = String(text.prefix { $0 == " " })
    let words = shellWords(text.dropFirst(margin.count))
    var lines: [String] = []
    var line = margin + (words.first ?? "")
    for (index, word) in words.enumerated().dropFirst() {
      let longer = line + " " + word
      // Behind all words but the last there may be a backslash.
      if longer.displayWidth + (index == words.count - 1 ? 0 : 2) <= width {
        line = longer
      } else {
        lines.append(line + " \\")
        line = margin + "    " + word
      }
    }
    return lines + [line]
  }

  /// What stands between blanks outside of quotes, as it is typed.
  private static func shellWords(_ text: Substring) -> [String] {
    var words = [""]
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == " " {
        words.append("")
        continue
      }
      words[words.count - 1].append(character)
    }
    return words
  }

  /// Help and usage of ArgumentParser, which does not break lines of usage.
  static func usage(_ text: String, width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap { line -> [String] in
      let isUsage = line.hasPrefix("Usage: ") || line.hasPrefix("USAGE: ")
      return isUsage ? lines(line, width: width, indentation: 7) : [line]
    }
  }
}
