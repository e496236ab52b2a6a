import DAWErrors
import Foundation

/// The lines of a file that lists something, a line each.
struct ListedLines {
  typealias Line = (number: Int, text: Substring)

  private let lines: [Line]
  private let name: String
  private let noun: String

  /// - Parameters:
  ///   - name: what messages call the file.
  ///   - noun: what a line holds.
  /// - Throws: `Failure`.
  init(_ bytes: Data, name: String, noun: String) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, code: "notUTF8", "The \(noun)s in \(name) are not text in UTF-8. Nothing was changed.")
    }
    self.name = name
    self.noun = noun
    let withoutMark = text.first == "\u{feff}" ? text.dropFirst() : text[...]
    lines = withoutMark.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { (number: $0 + 1, text: $1) }
      .filter { !$0.text.allSatisfy(\.isWhitespace) }
  }

  private init(_ lines: [Line], name: String, noun: String) {
    self.lines = lines
    self.name = name
    self.noun = noun
  }

  var first: Line? { lines.first }

  /// Whether they are JSON lines, rather than CSV.
  var areJSON: Bool { first?.text.first(where: { !$0.isWhitespace }) == "{" }

  func dropFirst() -> ListedLines { ListedLines(Array(lines.dropFirst()), name: name, noun: noun) }

  /// - Throws: `Failure` that names the line.
  func map<Value>(_ read: (Substring) throws -> Value) throws -> [Value] {
    try lines.map { line in try reading(line, read) }
  }

  /// - Throws: `Failure` that names the line.
  func reading<Value>(_ line: Line, _ read: (Substring) throws -> Value) throws -> Value {
    do {
      return try read(line.text)
    } catch {
      let sentence = (error as? Failure)?.message ?? "\(error)"
      let ending = sentence.hasSuffix("Nothing was changed.") ? "" : " Nothing was changed."
      throw Failure(
        .invalid, code: "bad\(noun.prefix(1).uppercased())\(noun.dropFirst())s",
        "Line \(line.number) of \(name): \(sentence)\(ending)")
    }
  }
}
