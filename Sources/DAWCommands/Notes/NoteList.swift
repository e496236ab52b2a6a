import DAWProject
import DAWTime
import Foundation

/// Notes as a file lists them: CSV with a header, or JSON lines.
struct NoteList {
  private let lines: ListedLines

  /// - Parameter name: what messages call the file.
  /// - Throws: `Failure`.
  init(_ bytes: Data, name: String) throws { lines = try ListedLines(bytes, name: name, noun: "note") }

  /// The lines of the drafts.
  var lineNumbers: LineNumbers { (lines.areJSON ? lines : lines.dropFirst()).numbers }

  /// - Throws: `Failure` that names the line.
  func drafts(_ clock: NoteClock) throws -> [NoteDraft] {
    guard let first = lines.first else { return [] }
    try lines.refuseArray()
    if lines.areJSON { return try lines.map { try JSONNote($0).draft(clock) } }
    let header = try lines.reading(first) { try CSVHeader($0) }
    return try lines.dropFirst().map { try header.draft($0, clock) }
  }
}

/// An error in a line, as a sentence.
struct BadNote: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
