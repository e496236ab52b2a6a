import DAWErrors

/// A list of edits as text, one per line, split into words as POSIX sh does: quotes and backslashes are removed, `#`
/// starts a comment only at the start of a word, and nothing is expanded.
///
/// A backslash at the end of a line continues it. A quote must be closed on its line, since no name contains a line
/// break.
/// - SeeAlso: POSIX.1-2017, Shell Command Language, 2.2 Quoting
public struct BatchScript: Equatable, Sendable {
  public struct Line: Equatable, Sendable {
    /// The line number where it begins, from 1.
    public var number: Int
    /// At least one.
    public var words: [Word]
  }

  public struct Word: Equatable, Sendable {
    public var text: String
    /// The offset in `text`, in Unicode scalars, of a `%` that begins a reference to a name: at the start of the word
    /// or after a `=` or a position's `@`, and neither quoted nor escaped.
    public var reference: Int?

    /// Whether the reference is a position's: `@%loop.end`.
    public var isPosition: Bool {
      guard let reference, reference > 0 else { return false }
      return text.unicodeScalars.dropFirst(reference - 1).first == "@"
    }

    /// The word with its reference, if any, replaced by a value.
    /// - Parameter value: returns the value of a name.
    public func resolved(_ value: (String) throws -> String) rethrows -> String {
      guard let reference else { return text }
      let scalars = text.unicodeScalars
      let percent = scalars.index(scalars.startIndex, offsetBy: reference)
      return try String(text[..<percent]) + value(String(text[scalars.index(after: percent)...]))
    }
  }

  public private(set) var lines: [Line] = []

  /// - Throws: `Failure` with the line number.
  public init(_ text: String) throws {
    var reader = BatchScriptReader(text)
    try reader.read()
    lines = reader.lines
  }
}

/// Parses a script, scalar by scalar.
private struct BatchScriptReader {
  private(set) var lines: [BatchScript.Line] = []
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var lineNumber = 1
  private var firstLine = 1
  private var words: [BatchScript.Word] = []
  private var word: String.UnicodeScalarView?
  private var wordLength = 0
  private var reference: Int?

  init(_ text: String) {
    let all = Array(text.unicodeScalars)
    scalars = all.first == "\u{feff}" ? Array(all.dropFirst()) : all
  }

  mutating func read() throws {
    while let scalar = next() {
      switch scalar {
      case "\n":
        endLine()
        lineNumber += 1
      case " ", "\t": endWord()
      case "\r" where peek == "\n": endWord()
      case "#" where word == nil: while let peek, peek != "\n" { position += 1 }
      case "'": try readQuoted(by: scalar)
      case "\"": try readQuoted(by: scalar)
      case "\\": try readEscaped()
      default:
        if scalar == "%", mayRefer { reference = reference ?? wordLength }
        append(scalar)
      }
    }
    endLine()
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek else { return nil }
    position += 1
    return scalar
  }

  /// Whether a `%` in this place begins a reference.
  private var mayRefer: Bool {
    guard let word, let last = word.last else { return true }
    guard last == "@" else { return last == "=" }
    let before = word.dropLast().last
    return before == nil || before == "="
  }

  private mutating func append(_ scalar: Unicode.Scalar?) {
    if word == nil {
      word = String.UnicodeScalarView()
      if words.isEmpty { firstLine = lineNumber }
    }
    guard let scalar else { return }
    word?.append(scalar)
    wordLength += 1
  }

  private mutating func endWord() {
    if let word { words.append(BatchScript.Word(text: String(word), reference: reference)) }
    word = nil
    wordLength = 0
    reference = nil
  }

  private mutating func endLine() {
    endWord()
    if !words.isEmpty { lines.append(BatchScript.Line(number: firstLine, words: words)) }
    words = []
  }

  private mutating func readQuoted(by quote: Unicode.Scalar) throws {
    append(nil)
    while let scalar = next() {
      if scalar == quote { return }
      if scalar == "\n" { break }
      guard quote == "\"", scalar == "\\", let peek, "$`\"\\\n".unicodeScalars.contains(peek) else {
        append(scalar)
        continue
      }
      position += 1
      if peek == "\n" { lineNumber += 1 } else { append(peek) }
    }
    throw Failure(
      .usage, code: "unclosedQuote", "Line \(lineNumber): a quote (\(quote)) is not closed. Nothing was changed.",
      hint: "Close it on the same line, or put a backslash before it.")
  }

  private mutating func readEscaped() throws {
    guard let scalar = next() else {
      throw Failure(
        .usage, code: "trailingBackslash", "Line \(lineNumber): nothing follows the backslash. Nothing was changed.")
    }
    if scalar == "\n" { lineNumber += 1 } else { append(scalar) }
  }
}
