/// A command line as a shell has it, up to the cursor, with the quote that is still open.
struct ShellLine {
  /// Without quotes and backslashes; the last one is being typed.
  private(set) var words: [String] = []
  private(set) var openQuote: Character?

  init(_ text: String) {
    var word: String? = nil
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if let quote = openQuote {
        if character == quote {
          openQuote = nil
        } else if character == "\\", quote == "\"" {
          isEscaped = true
        } else {
          word?.append(character)
        }
      } else if character == "\\" {
        isEscaped = true
      } else if character == "'" || character == "\"" {
        openQuote = character
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let word { words.append(word) }
        word = nil
      } else if "|;&".contains(character) {
        // Another command begins.
        (words, word) = ([], nil)
      } else {
        word = (word ?? "") + String(character)
      }
    }
    words.append(word ?? "")
  }
}

/// Completion for bash, which takes a word apart at characters such as `:` and `=`, and replaces the last part.
/// - SeeAlso: bash(1), `COMP_WORDBREAKS`
enum BashCompletion {
  /// - Parameters:
  ///   - line: the command line up to the cursor.
  ///   - part: what bash will replace.
  static func candidates(_ line: String, replacing part: String) -> Completions {
    let shell = ShellLine(line)
    var completions = Completer(words: Array(shell.words.dropFirst())).completions
    let word = shell.words.last ?? ""
    let last = ShellLine(part).words.last ?? ""
    // A character that divides words is a part of its own, and what follows it is replaced; but an @ goes with it.
    var replaced = last == "=" || last == ":" ? "" : last
    if word.hasSuffix("@" + replaced) { replaced = "@" + replaced }
    let kept = word.hasSuffix(replaced) ? word.count - replaced.count : 0
    completions.candidates = completions.candidates.map { candidate in
      let rest = String(candidate.text.dropFirst(kept))
      return Candidate(text: shell.openQuote == nil ? escaped(rest) : rest, about: candidate.about)
    }
    return completions
  }

  private static func escaped(_ text: String) -> String {
    text.map { " \t'\"\\$`&|;<>()*?[]{}!#~".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
