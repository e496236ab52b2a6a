import DAWProject

/// The columns of a table, from its first line.
struct CSVColumns<Column: CaseIterable & RawRepresentable & Hashable> where Column.RawValue == String {
  private let columns: [Column]

  /// - Parameters:
  ///   - line: the table's first.
  ///   - required: the column that no table is without.
  /// - Throws: `BadNote`.
  init(_ line: Substring, required: Column) throws {
    let names = Column.allCases.map(\.rawValue)
    columns = try Self.cells(line).map { cell in
      guard let column = Column.allCases.first(where: { $0.rawValue.lowercased() == cell.lowercased() }) else {
        let question = nearest(to: cell, among: names).first.map { " Did you mean '\($0)'?" } ?? ""
        throw BadNote("'\(cell.prefix(40))' is no column: they are \(names.joined(separator: ", ")).\(question)")
      }
      return column
    }
    guard Set(columns).count == columns.count else { throw BadNote("A column stands twice.") }
    guard columns.contains(required) else { throw BadNote("The column '\(required.rawValue)' is missing.") }
  }

  /// The cells of a line that are not empty.
  /// - Throws: `BadNote`.
  func values(_ line: Substring) throws -> [Column: String] {
    let cells = try Self.cells(line)
    guard cells.count == columns.count else {
      throw BadNote("\(counted(cells.count, "cell")), where the header has \(columns.count).")
    }
    var values: [Column: String] = [:]
    values.reserveCapacity(cells.count)
    for (column, cell) in zip(columns, cells) where !cell.isEmpty { values[column] = cell }
    return values
  }

  /// The cells of a line, without the space around them; one in double quotes may hold commas.
  /// - SeeAlso: RFC 4180
  private static func cells(_ line: Substring) throws -> [String] {
    if let cells = plainCells(line) { return cells }
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

extension CSVColumns {
  /// The cells of a line of ASCII without quotes, as nearly all lines are, by its bytes.
  private static func plainCells(_ line: Substring) -> [String]? {
    guard line.utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\"") }) else { return nil }
    return line.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { cell in
      var cell = cell
      while let first = cell.first, isSpace(first) { cell.removeFirst() }
      while let last = cell.last, isSpace(last) { cell.removeLast() }
      return String(Substring(cell))
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) }
}

extension String {
  fileprivate var droppingTrailingSpace: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
