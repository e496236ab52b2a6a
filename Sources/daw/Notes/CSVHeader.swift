import DAWSession
import DAWTime

/// The first line of a table of notes: which column holds what.
struct CSVHeader {
  private enum Column: String, CaseIterable {
    case pitch, start, length, velocity, channel
    case startTime, duration, startTicks, durationTicks
  }

  private let columns: [Column]

  /// - Throws: `BadNote`.
  init(_ line: Substring) throws {
    columns = try Self.cells(line).map { cell in
      guard let column = Column.allCases.first(where: { $0.rawValue.lowercased() == cell.lowercased() }) else {
        let near = nearest(to: cell, among: Column.allCases.map(\.rawValue))
        let question = near.first.map { " Did you mean '\($0)'?" } ?? ""
        throw BadNote(
          "'\(cell)' is no column: they are \(Column.allCases.map(\.rawValue).joined(separator: ", ")).\(question)")
      }
      return column
    }
    guard Set(columns).count == columns.count else { throw BadNote("A column stands twice.") }
    guard columns.contains(.pitch) else { throw BadNote("The column 'pitch' is missing.") }
  }

  /// - Throws: `BadNote`, `Unreadable`.
  func draft(_ line: Substring, _ clock: NoteClock) throws -> NoteDraft {
    let cells = try Self.cells(line)
    guard cells.count == columns.count else {
      throw BadNote("\(counted(cells.count, "cell")), where the header has \(columns.count).")
    }
    let values = Dictionary(uniqueKeysWithValues: zip(columns, cells)).filter { !$0.value.isEmpty }
    guard let pitch = values[.pitch] else { throw BadNote("The pitch is missing.") }
    let start = try ticks(values[.startTicks]) ?? distance(values, .start, .startTime).map(clock.start) ?? .zero
    let length = try distance(values, .length, .duration) ?? .quarterOfASecond
    return NoteDraft(
      pitch: try Pitch(typed: pitch).number, velocity: try values[.velocity].map(Int.init(typed:)) ?? 80,
      start: start, duration: try ticks(values[.durationTicks]) ?? clock.duration(length, from: start),
      channel: try values[.channel].map { try Channel(typed: $0).index } ?? 0)
  }

  private func ticks(_ cell: String?) throws -> TickCount? {
    try cell.map { TickCount(ticks: Int64(try Int(typed: $0))) }
  }

  /// From the column that takes what people type, or the one that takes bare seconds.
  private func distance(_ values: [Column: String], _ typed: Column, _ seconds: Column) throws -> TypedDistance? {
    if let cell = values[typed] { return try TypedDistance(typed: cell) }
    return try values[seconds].map { try TypedDistance(typed: $0 + "s") }
  }

  /// The cells of a line, without the space around them; one in double quotes may hold commas.
  /// - SeeAlso: RFC 4180
  private static func cells(_ line: Substring) throws -> [String] {
    var cells: [String] = []
    var cell = ""
    var isQuoted = false
    var index = line.startIndex
    while index < line.endIndex {
      let character = line[index]
      let following = line.index(after: index)
      switch character {
      case "\"" where isQuoted && following < line.endIndex && line[following] == "\"":
        cell.append("\"")
        index = following
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        cells.append(cell)
        cell = ""
      default: cell.append(character)
      }
      index = line.index(after: index)
    }
    if isQuoted { throw BadNote("A quote is not closed.") }
    return (cells + [cell]).map { String($0.trimmingPrefix(while: \.isWhitespace)).droppingTrailingSpace }
  }
}

extension String {
  fileprivate var droppingTrailingSpace: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
