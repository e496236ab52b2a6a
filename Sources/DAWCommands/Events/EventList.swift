import DAWInterchange
import DAWModel
import DAWProject
import DAWTime
import Foundation

/// Events as a file lists them: CSV with a header, or JSON lines.
struct EventList {
  private let lines: ListedLines

  /// - Parameter name: what messages call the file.
  /// - Throws: `Failure`.
  init(_ bytes: Data, name: String) throws { lines = try ListedLines(bytes, name: name, noun: "event") }

  /// The lines of the drafts.
  var lineNumbers: LineNumbers { (lines.areJSON ? lines : lines.dropFirst()).numbers }

  /// - Throws: `Failure` that names the line.
  func drafts(_ clock: NoteClock) throws -> [EventDraft] {
    guard let first = lines.first else { return [] }
    try lines.refuseArray()
    if lines.areJSON { return try lines.map { try Self.draft(json: $0, clock) } }
    let header = try lines.reading(first) { try EventHeader($0) }
    return try lines.dropFirst().map { try header.draft($0, clock) }
  }

  private static func draft(json line: Substring, _ clock: NoteClock) throws -> EventDraft {
    let document: EventDocument = try JSONNote.read(line)
    let start = try JSONNote.seconds(document.startTime)
    return EventDraft(
      start: try document.startTicks ?? clock.start(start), channel: document.channel ?? 0,
      message: try document.message())
  }
}

/// The first line of a table of events: which column holds what.
private struct EventHeader {
  private enum Column: Int, CaseIterable {
    case kind, start, channel, controller, pitch, value, program, bank, metaType, text, bytes
    case startTime, startTicks
  }

  private let columns: CSVColumns<Column>

  /// - Throws: `BadNote`.
  init(_ line: Substring) throws { columns = try CSVColumns(line, required: .kind) }

  /// - Throws: `BadNote`, `Unreadable`, `Failure`.
  func draft(_ line: Substring, _ clock: NoteClock) throws -> EventDraft {
    let values = try columns.values(line)
    func number(_ column: Column) throws -> Int? { try values[column].map(Int.init(typed:)) }
    guard let name = values[.kind], let kind = EventDocument.Kind(typed: name) else {
      throw BadNote("The kind is one of \(EventDocument.Kind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    let start =
      try number(.startTicks).map { TickCount(ticks: Int64($0)) }
      ?? values[.start].map { try clock.start(TypedDistance(typed: $0)) }
      ?? values[.startTime].map { try clock.start(TypedDistance(typedSeconds: $0)) } ?? .zero
    return EventDraft(
      start: start, channel: try values[.channel].map { try Channel(typed: $0).index } ?? 0,
      message: try EventDocument(
        kind: kind, controller: number(.controller),
        pitch: values[.pitch].map { try Pitch(typed: $0).number },
        value: number(.value), program: number(.program), bank: number(.bank), metaType: number(.metaType),
        text: values.text(.text), bytes: values[.bytes]
      ).message())
  }
}

extension EventDocument.Kind {
  /// Case does not matter; `bend` and `pressure` are taken too.
  init?(typed text: String) {
    let lowered = text.lowercased().filter { $0 != "-" }
    let others: [String: Self] = ["bend": .pitchBend, "pressure": .channelPressure, "keypressure": .polyPressure]
    guard let kind = Self.allCases.first(where: { $0.rawValue.lowercased() == lowered }) ?? others[lowered] else {
      return nil
    }
    self = kind
  }
}
