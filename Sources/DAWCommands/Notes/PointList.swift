import DAWModel
import DAWProject
import Foundation

/// Points as a file lists them: CSV of position, value and, if it is there, shape, with or without a header.
struct PointList {
  private let lines: ListedLines

  private enum Column: Int, CaseIterable {
    case position, value, shape
  }

  /// - Parameter name: what messages call the file.
  /// - Throws: `Failure`.
  init(_ bytes: Data, name: String) throws { lines = try ListedLines(bytes, name: name, noun: "point") }

  /// - Throws: `Failure` that names the line.
  func points(in timeline: Timeline) throws -> ListedPoints {
    var points = lines
    let drafts: [PointDraft]
    if let first = lines.first, try hasHeader(first) {
      let columns = try lines.reading(first) { try CSVColumns<Column>($0, required: .position) }
      points = lines.dropFirst()
      drafts = try points.map { line in
        let values = try columns.values(line)
        return try Self.draft(values[.position], values[.value], values[.shape], timeline)
      }
    } else {
      drafts = try points.map { line in
        let cells = try CSVColumns<Column>.cells(line)
        guard (2...3).contains(cells.count) else {
          throw BadNote("A point is a position, a value and, if need be, a shape, with commas between them.")
        }
        return try Self.draft(cells[0], cells[1], cells.count == 3 ? cells[2] : nil, timeline)
      }
    }
    return ListedPoints(drafts: drafts, lines: points.numbers)
  }

  /// Whether the first line names the columns, if with a typing error. No position but that of a marker has the word.
  private func hasHeader(_ first: ListedLines.Line) throws -> Bool {
    try lines.reading(first) { try CSVColumns<Column>.cells($0) }
      .contains { $0.lowercased().contains("position") && !$0.hasPrefix("@") }
  }

  private static func draft(
    _ position: String?, _ value: String?, _ shape: String?, _ timeline: Timeline
  ) throws -> PointDraft {
    guard let position, !position.isEmpty else { throw BadNote("The position is missing.") }
    guard let value, !value.isEmpty else { throw BadNote("The value is missing.") }
    return PointDraft(
      position: try TypedPosition(typed: position).position(in: timeline),
      value: try TypedPointValue(typed: value).value,
      shape: try shape.flatMap { $0.isEmpty ? nil : try LaneShape(typed: $0) })
  }
}
