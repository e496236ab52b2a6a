import DAWSession
import DAWTime
import Foundation

/// Notes as a file lists them: CSV with a header, or JSON lines.
struct NoteList {
  private let lines: [(number: Int, text: Substring)]
  private let name: String

  /// - Parameter name: what messages call the file.
  /// - Throws: `Failure`.
  init(_ bytes: Data, name: String) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.invalid, code: "notUTF8", "The notes in \(name) are not text in UTF-8. Nothing was changed.")
    }
    self.name = name
    let withoutMark = text.first == "\u{feff}" ? text.dropFirst() : text[...]
    lines = withoutMark.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
      .map { (number: $0 + 1, text: $1) }
      .filter { !$0.text.allSatisfy(\.isWhitespace) }
  }

  /// - Throws: `Failure` that names the line.
  func drafts(_ clock: NoteClock) throws -> [NoteDraft] {
    guard let first = lines.first else { return [] }
    if first.text.first(where: { !$0.isWhitespace }) == "{" {
      return try lines.map { line in try locating(line.number) { try JSONNote(line.text).draft(clock) } }
    }
    let header = try locating(first.number) { try CSVHeader(first.text) }
    return try lines.dropFirst().map { line in try locating(line.number) { try header.draft(line.text, clock) } }
  }

  private func locating<T>(_ line: Int, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw Failure(.invalid, code: "badNotes", "Line \(line) of \(name): \(error) Nothing was changed.")
    }
  }
}

/// What is wrong with a line, as a sentence.
struct BadNote: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
