/// A command line as a shell has it, up to the cursor, with the quote that is still open.
struct ShellLine {
  /// Without quotes and backslashes; the last one is being typed.
  private(set) var words: [String] = []
  private(set) var openQuote: Unicode.Scalar?
  /// How many characters of the last word stand before the open quote.
  private(set) var countBeforeQuote = 0

  // A shell knows no grapheme clusters: a quote with a combining mark behind it is a quote.
  init(_ text: String) {
    var word: String.UnicodeScalarView? = nil
    var isEscaped = false
    func append(_ scalar: Unicode.Scalar) {
      if word == nil { word = String.UnicodeScalarView() }
      word?.append(scalar)
    }
    for scalar in text.unicodeScalars {
      if isEscaped {
        // Between double quotes a backslash escapes only these.
        if openQuote != nil, !Self.isSpecialInDoubleQuotes(scalar) { append("\\") }
        append(scalar)
        isEscaped = false
      } else if let quote = openQuote {
        if scalar == quote {
          openQuote = nil
        } else if scalar == "\\", quote == "\"" {
          isEscaped = true
        } else {
          append(scalar)
        }
      } else if scalar == "\\" {
        isEscaped = true
      } else if scalar == "'" || scalar == "\"" {
        openQuote = scalar
        word = word ?? String.UnicodeScalarView()
        countBeforeQuote = word.map { String($0).count } ?? 0
      } else if scalar == " " || scalar == "\t" {
        if let word { words.append(String(word)) }
        word = nil
      } else if "|;&".unicodeScalars.contains(scalar) {
        // Another command begins.
        (words, word) = ([], nil)
      } else {
        append(scalar)
      }
    }
    words.append(word.map { String($0) } ?? "")
  }

  static func isSpecialInDoubleQuotes(_ scalar: Unicode.Scalar) -> Bool { "\\$`\"".unicodeScalars.contains(scalar) }
}

/// Completion for bash, which takes a word apart at characters such as `:` and `=`, and replaces the last part.
/// - SeeAlso: bash(1), `COMP_WORDBREAKS`
enum BashCompletion {
  /// - Parameters:
  ///   - line: the command line up to the cursor.
  ///   - part: what bash will replace, where no quote is open.
  static func candidates(_ line: String, replacing part: String) -> Completions {
    let shell = ShellLine(line)
    var completions = Completer(words: Array(shell.words.dropFirst())).completions
    let kept = keptCount(of: shell, part)
    completions.candidates = completions.candidates.map { candidate in
      let rest = String(candidate.text.dropFirst(kept))
      return Candidate(text: quoted(rest, in: shell.openQuote), about: candidate.about)
    }
    return completions
  }

  /// How many characters of the last word stay.
  private static func keptCount(of shell: ShellLine, _ part: String) -> Int {
    // What is behind an open quote is replaced, wherever the word begins.
    guard shell.openQuote == nil else { return shell.countBeforeQuote }
    let word = shell.words.last ?? ""
    // A character that divides words is a part of its own, and what follows it is replaced; but an @ goes with it.
    var replaced = part == "=" || part == ":" ? "" : ShellLine(part).words.last ?? ""
    if word.hasSuffix("@" + replaced) { replaced = "@" + replaced }
    return word.hasSuffix(replaced) ? word.count - replaced.count : 0
  }

  /// The text as bash reads it back: names come from a project, whose author may want a shell to run them.
  private static func quoted(_ text: String, in quote: Unicode.Scalar?) -> String {
    guard let quote else { return escaped(text) }
    var result = text.unicodeScalars.map { scalar -> String in
      switch quote {
      case "'" where scalar == quote: "'\\''"
      // The history is looked for between double quotes, too, and there a backslash before it stays.
      case "\"" where scalar == "!": "\"\\!\""
      case "\"" where ShellLine.isSpecialInDoubleQuotes(scalar): "\\\(scalar)"
      default: String(scalar)
      }
    }.joined()
    // readline takes a quote at the start for the open one, and closes none where the text ends with one.
    if result.unicodeScalars.first == quote { result = String(quote) + result }
    if result.unicodeScalars.last == quote { result += String(quote) }
    return result
  }

  private static func escaped(_ text: String) -> String {
    let special = " \t'\"\\$`&|;<>()*?[]{}!#~^".unicodeScalars
    return text.unicodeScalars.map { special.contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
