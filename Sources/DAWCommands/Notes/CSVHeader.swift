import DAWProject
import DAWTime

/// The first line of a table of notes: which column holds what.
struct CSVHeader {
  private enum Column: Int, CaseIterable {
    case pitch, start, length, velocity, channel, releaseVelocity
    case startTime, duration, startTicks, durationTicks
  }

  private let columns: CSVColumns<Column>

  /// - Throws: `BadNote`.
  init(_ line: Substring) throws { columns = try CSVColumns(line, required: .pitch) }

  /// - Throws: `BadNote`, `Unreadable`.
  func draft(_ line: Substring, _ clock: NoteClock) throws -> NoteDraft {
    let values = try columns.values(line)
    guard let pitch = values[.pitch] else { throw BadNote("The pitch is missing.") }
    let start = try ticks(values[.startTicks]) ?? distance(values, .start, .startTime).map(clock.start) ?? .zero
    let length = try distance(values, .length, .duration) ?? .quarter
    return NoteDraft(
      pitch: try Pitch(typed: pitch).number, velocity: try values[.velocity].map(Int.init(typed:)) ?? 80,
      start: start, duration: try ticks(values[.durationTicks]) ?? clock.duration(length, from: start),
      channel: try values[.channel].map { try Channel(typed: $0).index } ?? 0,
      releaseVelocity: try values[.releaseVelocity].map(Int.init(typed:)))
  }

  private func ticks(_ cell: String?) throws -> TickCount? {
    try cell.map { TickCount(ticks: Int64(try Int(typed: $0))) }
  }

  /// From the column that takes what people type, or the one that takes bare seconds.
  private func distance(_ values: CSVColumns<Column>.Values, _ typed: Column, _ seconds: Column) throws
    -> TypedDistance?
  {
    if let cell = values[typed] { return try TypedDistance(typed: cell) }
    return try values[seconds].map { try TypedDistance(typedSeconds: $0) }
  }
}

extension TypedDistance {
  /// Bare seconds: a number as JSON has it, such as `0.5` or `5e-05`.
  /// - Throws: `BadNote`.
  init(typedSeconds text: String) throws {
    let shown = "'\(text.prefix(40))'"
    let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
    guard isNumber, let value = Double(text) else {
      throw BadNote("\(shown) is no number of seconds, such as 0.5 or 5e-05.")
    }
    guard value >= 0 else { throw BadNote("\(shown) seconds are less than none.") }
    guard let flicks = FlickCount(seconds: value) else {
      throw BadNote("\(shown) seconds are beyond the end of the timeline.")
    }
    self.init(flicks)
  }
}
