import DAWProject

/// The columns of a table, from its first line. A column's raw value is its place among all cases, from 0.
struct CSVColumns<Column: CaseIterable & RawRepresentable & Hashable> where Column.RawValue == Int {
  private let columns: [Column]
  /// The place in a line of each case's cell; `nil` where the table has no such column.
  private let places: [Int?]

  /// The cells of a line that are not empty.
  struct Values {
    fileprivate let cells: [String]
    /// With the space that stands in quotes.
    fileprivate let texts: [String]
    fileprivate let places: [Int?]

    subscript(_ column: Column) -> String? {
      guard let place = places[column.rawValue], !cells[place].isEmpty else { return nil }
      return cells[place]
    }

    /// What a cell says word for word: in lyrics, the space around a syllable parts words.
    func text(_ column: Column) -> String? {
      guard let place = places[column.rawValue], !texts[place].isEmpty else { return nil }
      return texts[place]
    }
  }

  /// - Parameters:
  ///   - line: the table's first.
  ///   - required: the column that no table is without.
  /// - Throws: `BadNote`.
  init(_ line: Substring, required: Column) throws {
    let names = Column.allCases.map { "\($0)" }
    let columns: [Column] = try Self.cells(line).map { cell in
      guard let column = Column.allCases.first(where: { "\($0)".lowercased() == cell.lowercased() }) else {
        let question = nearest(to: cell, among: names).first.map { " Did you mean '\($0)'?" } ?? ""
        throw BadNote("'\(cell.prefix(40))' is no column: they are \(names.joined(separator: ", ")).\(question)")
      }
      return column
    }
    guard Set(columns).count == columns.count else { throw BadNote("A column stands twice.") }
    guard columns.contains(required) else { throw BadNote("The column '\(required)' is missing.") }
    self.columns = columns
    places = Column.allCases.map { columns.firstIndex(of: $0) }
  }

  /// - Throws: `BadNote`.
  func values(_ line: Substring) throws -> Values {
    let plain = Self.plainCells(line)
    let texts = try plain ?? Self.quotedCells(line)
    let cells = plain ?? texts.map(\.withoutSpaceAround)
    guard cells.count == columns.count else {
      let count = "\(counted(cells.count, "cell")), where the header has \(columns.count)"
      guard cells.count < columns.count else { throw BadNote("\(count).") }
      let missing = columns.dropFirst(cells.count).map { "'\($0)'" }.joined(separator: ", ")
      throw BadNote("\(count): none for \(missing). A cell that is empty has its comma, too.")
    }
    return Values(cells: cells, texts: texts, places: places)
  }

  /// The cells of a line, without the space around them; one in double quotes may hold commas.
  /// - Throws: `BadNote`.
  /// - SeeAlso: RFC 4180
  static func cells(_ line: Substring) throws -> [String] {
    try plainCells(line) ?? quotedCells(line).map(\.withoutSpaceAround)
  }

  /// The cells of a line without the space around them, but with that in quotes.
  private static func quotedCells(_ line: Substring) throws -> [String] {
    var cells: [String] = []
    var cell = ""
    // Space outside of quotes, which is dropped unless more of its cell follows.
    var space = ""
    var isBegun = false
    var isQuoted = false
    var index = line.startIndex
    while index < line.endIndex {
      let character = line[index]
      let following = line.index(after: index)
      switch character {
      case "\"" where isQuoted && following < line.endIndex && line[following] == "\"":
        cell.append("\"")
        index = following
      case "\"":
        cell += space
        (space, isBegun) = ("", true)
        isQuoted.toggle()
      case "," where !isQuoted:
        cells.append(cell)
        (cell, space, isBegun) = ("", "", false)
      case _ where !isQuoted && character.isWhitespace:
        if isBegun { space.append(character) }
      default:
        cell += space
        cell.append(character)
        (space, isBegun) = ("", true)
      }
      index = line.index(after: index)
    }
    if isQuoted { throw BadNote("A quote is not closed.") }
    return cells + [cell]
  }
}

extension CSVColumns {
  /// The cells of a line of ASCII without quotes, as nearly all lines are, by its bytes.
  private static func plainCells(_ line: Substring) -> [String]? {
    let found = line.utf8.withContiguousStorageIfAvailable { bytes -> [String]? in
      guard bytes.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\"") }) else { return nil }
      var cells: [String] = []
      var start = 0
      for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: ",") {
        var end = index
        while start < end, isSpace(bytes[start]) { start += 1 }
        while start < end, isSpace(bytes[end - 1]) { end -= 1 }
        cells.append(String(decoding: bytes[start..<end], as: UTF8.self))
        start = index + 1
      }
      return cells
    }
    return found ?? nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0d).contains(byte) }
}

extension String {
  fileprivate var withoutSpaceAround: String {
    var text = trimmingPrefix(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
