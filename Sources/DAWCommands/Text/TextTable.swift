/// Rows of cells in aligned columns, two spaces apart; the cells are as a terminal shows them.
struct TextTable {
  private var rows: [[String]] = []
  /// Columns of numbers, aligned on the right.
  private let rightAligned: Set<Int>

  init(rightAligned: Set<Int> = []) { self.rightAligned = rightAligned }

  mutating func add(_ cells: [String]) { rows.append(cells.map(TerminalText.line)) }

  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in rows.map { $0.count > column ? $0[column].count : 0 }.max() ?? 0 }
    return rows.map { row in
      var line = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return rightAligned.contains(column) ? padding + cell : cell + padding
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
