/// Rows of cells in aligned columns, two spaces apart. Where it does not fit the terminal, columns of text are
/// shortened, the widest first; where that does not suffice, plain columns are left out from the right. Only the last
/// one that remains is shortened, and left out unless it is the first column.
struct TextTable {
  enum Column: Equatable {
    /// Facts: left out rather than shortened, while the table has others.
    case plain
    /// Numbers, aligned on the right.
    case number
    /// Ids, which are typed as they are shown: never shortened.
    case id
    /// Text of which the beginning tells most.
    case text
    /// Text of which the beginning tells most; its first columns, this many, are never cut off.
    case textKeeping(Int)
    /// Paths, of which the end tells most.
    case path
  }

  struct Cell: ExpressibleByStringInterpolation {
    var text: String
    var style: TextStyle?
    /// Whether it may reach over empty cells behind it. Where nothing is behind it at all, it is broken between words.
    var overflows = false

    init(_ text: String, _ style: TextStyle? = nil, overflows: Bool = false) {
      self.text = TerminalText.line(text)
      self.style = style
      self.overflows = overflows
    }

    init(stringLiteral text: String) { self.init(text) }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []
  private static let gap = 2
  /// A column is not shortened below this while another one can be.
  private static let least = 6

  init(_ columns: Column...) { self.columns = columns }

  mutating func add(_ cells: [Cell]) { rows.append(cells) }

  /// - Parameter width: columns to fit; `nil` for no limit.
  func lines(fitting width: Int? = Terminal.columns()) -> [StyledLine] {
    let widths = fitted(cellWidths, to: width)
    return rows.flatMap { lines(of: $0, widths, fitting: width) }
  }

  /// Of the columns, without the cells that reach over others.
  private var cellWidths: [Int] {
    var widths = [Int](repeating: 0, count: rows.reduce(0) { max($0, $1.count) })
    for row in rows {
      for (column, cell) in row.enumerated() where !cell.overflows {
        widths[column] = max(widths[column], cell.text.displayWidth)
      }
    }
    return widths
  }

  /// The last of the columns that a cell reaches over gives the room that is still missing, unless nothing is behind it.
  private func widened(_ cellWidths: [Int], without leftOut: Set<Int>) -> [Int] {
    var widths = cellWidths
    for row in rows {
      for (column, cell) in row.enumerated() where cell.overflows {
        guard let end = row[(column + 1)...].firstIndex(where: { !$0.text.isEmpty }),
          let last = (column..<end).last(where: { !leftOut.contains($0) })
        else { continue }
        let room = widths[column..<end].filter { $0 > 0 }.reduce(-Self.gap) { $0 + $1 + Self.gap }
        widths[last] += max(0, cell.text.displayWidth - room)
      }
    }
    return widths
  }

  /// The width of a line, of which columns without a width are no part.
  private static func total(_ widths: [Int]) -> Int { widths.filter { $0 > 0 }.reduce(-gap) { $0 + $1 + gap } }

  private func fitted(_ cellWidths: [Int], to width: Int?, without leftOut: Set<Int> = []) -> [Int] {
    let natural = widened(cellWidths, without: leftOut)
    guard let width else { return natural }
    var widths = natural
    var excess = Self.total(widths) - width
    let facts = natural.indices.filter { natural[$0] > 0 && kind($0) == .plain }
    func leavingOut(_ column: Int) -> [Int] {
      var fewer = cellWidths
      fewer[column] = 0
      return fitted(fewer, to: width, without: leftOut.union([column]))
    }
    for (text, plain) in [(Self.least, Int.max), (Self.least, Self.least), (3, 3)] {
      if excess > 0, plain < .max, facts.count > 1, let last = facts.last {
        return leavingOut(last)
      }
      while excess > 0,
        let widest = widths.indices.filter({ widths[$0] > least(of: $0, text: text, plain: plain) }).max(by: {
          widths[$0] < widths[$1]
        })
      {
        widths[widest] -= 1
        excess -= 1
      }
    }
    guard excess > 0, let last = facts.last, last > 0 else { return widths }
    let fewer = leavingOut(last)
    return Self.total(fewer) <= width ? fewer : widths
  }

  private func kind(_ column: Int) -> Column { columns.indices.contains(column) ? columns[column] : .plain }

  /// - Parameters:
  ///   - text: what columns of text keep.
  ///   - plain: what a column of facts keeps.
  private func least(of column: Int, text: Int, plain: Int) -> Int {
    switch kind(column) {
    case .text, .path: text
    // And the sign for what was cut off.
    case .textKeeping(let count): count + 1
    case .plain: plain
    case .number, .id: .max
    }
  }

  /// In a narrow column a text's indentation gives way to the text itself.
  private static func outdented(_ text: String, to room: Int) -> String {
    guard room <= Self.least, text.utf8.first == UInt8(ascii: " ") else { return text }
    let indentation = text.prefix { $0 == " " }.count
    return String(text.dropFirst(min(indentation, max(0, text.displayWidth - room))))
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: count) }

  /// A row: one line, and more where its last cell is broken.
  private func lines(of row: [Cell], _ widths: [Int], fitting width: Int?) -> [StyledLine] {
    var parts: [(text: String, style: TextStyle?)] = []
    var rest: [StyledLine] = []
    parts.reserveCapacity(3 * row.count)
    var column = 0
    while column < row.count {
      let cell = row[column]
      // Columns without any text take no room.
      guard widths[column] > 0 || cell.overflows else {
        column += 1
        continue
      }
      var room = widths[column]
      var next = column + 1
      while cell.overflows, next < row.count, row[next].text.isEmpty {
        room += (room > 0 && widths[next] > 0 ? Self.gap : 0) + widths[next]
        next += 1
      }
      var whole = cell.text
      if cell.overflows, next == row.count {
        let start = parts.isEmpty ? 0 : parts.reduce(Self.gap) { $0 + $1.text.displayWidth }
        room = width.map { max(Self.least, $0 - start) } ?? max(room, cell.text.displayWidth)
        let pieces = TextWrapping.fittedLines(cell.text, width: room)
        whole = pieces[0]
        rest = pieces.dropFirst().map { StyledLine([(Self.blanks(start), nil), ($0, cell.style)]) }
      }
      let text = Self.outdented(whole, to: room).shortened(to: room, keepingEnd: kind(column) == .path)
      let padding = (Self.blanks(max(0, room - text.displayWidth)), TextStyle?.none)
      if !parts.isEmpty { parts.append((Self.blanks(Self.gap), nil)) }
      if kind(column) == .number { parts.append(padding) }
      parts.append((text, cell.style))
      if kind(column) != .number { parts.append(padding) }
      column = next
    }
    // No blanks at the end.
    while let last = parts.last, last.text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) { parts.removeLast() }
    return [StyledLine(parts)] + rest
  }
}
