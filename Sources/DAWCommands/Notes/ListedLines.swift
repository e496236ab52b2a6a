import DAWErrors
import DAWProject
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
      throw Failure(
        .invalid, code: "notUTF8",
        "Line \(Self.firstBroken(bytes)) of \(name) is not text in UTF-8. Nothing was changed.")
    }
    self.name = name
    self.noun = noun
    lines = Self.lines(
      of: text.unicodeScalars.first == "\u{feff}"
        ? text[text.unicodeScalars.index(after: text.startIndex)...] : text[...])
  }

  /// The number of the first line that is not UTF-8, where there is one.
  private static func firstBroken(_ bytes: Data) -> Int {
    var number = 1
    var start = bytes.startIndex
    for end in bytes.indices where bytes[end] == UInt8(ascii: "\n") || bytes[end] == UInt8(ascii: "\r") {
      // Both characters of a line's end that has two count once.
      let isSecond = end > bytes.startIndex && bytes[end] == UInt8(ascii: "\n") && bytes[end - 1] == UInt8(ascii: "\r")
      if !isSecond {
        guard String(validating: bytes[start..<end], as: UTF8.self) != nil else { return number }
        number += 1
      }
      start = end + 1
    }
    return number
  }

  /// The lines that are not blank. They end with a line feed, a carriage return, or both: looked for among the bytes,
  /// since a million lines are walked through ten times faster so than character by character.
  private static func lines(of text: Substring) -> [Line] {
    var lines: [Line] = []
    let bytes = text.utf8
    var (start, number) = (bytes.startIndex, 1)
    var isBlank = true
    func end(_ index: String.Index) {
      if !isBlank { lines.append((number, text[start..<index])) }
      number += 1
      isBlank = true
    }
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      let next = bytes.index(after: index)
      switch byte {
      case UInt8(ascii: "\n"):
        end(index)
        start = next
      case UInt8(ascii: "\r"):
        end(index)
        start = next < bytes.endIndex && bytes[next] == UInt8(ascii: "\n") ? bytes.index(after: next) : next
        index = start
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"): break
      default: isBlank = false
      }
      index = next
    }
    end(bytes.endIndex)
    return lines
  }

  private init(_ lines: [Line], name: String, noun: String) {
    self.lines = lines
    self.name = name
    self.noun = noun
  }

  var first: Line? { lines.first }

  /// The number of each line in the file, from 1.
  var numbers: LineNumbers { LineNumbers(lines.map(\.number), of: name) }

  /// Whether they are JSON lines, rather than CSV.
  var areJSON: Bool { first?.text.first(where: { !$0.isWhitespace }) == "{" }

  /// Refuses an array of JSON, as `list-notes --json` prints it.
  /// - Throws: `Failure`.
  func refuseArray() throws {
    guard let first, first.text.first(where: { !$0.isWhitespace }) == "[" else { return }
    try reading(first) { _ -> Void in
      throw BadNote(
        "A list in JSON is one \(noun) a line, without brackets and commas around them: an object with the keys that it "
          + "has in 'daw show --json --notes'.")
    }
  }

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
        .invalid, code: "invalid\(noun.prefix(1).uppercased())\(noun.dropFirst())s",
        "Line \(line.number) of \(name): \(sentence)\(ending)", hint: (error as? Failure)?.hint)
    }
  }
}
