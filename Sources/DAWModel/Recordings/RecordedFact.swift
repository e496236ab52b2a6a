import Foundation

/// A row of what was recorded: not part of the project that a player reads, and outside its history.
/// - SeeAlso: `Documentation/Decisions/0029-facts-are-not-edits.md`
public protocol RecordedFact: Hashable, Sendable {
  static var table: String { get }
  /// The columns that tell a row from the others.
  static var key: [String] { get }
  /// Columns of the table; all but numbers that SQLite gives to rows that have no id of their own.
  static var fields: [Field<Self>] { get }
  /// Its fields are yet to be assigned.
  static var blank: Self { get }

  /// - Throws: a violation of `recordingFacts`.
  func validate() throws(RuleViolation)
}

extension RecordedFact {
  /// - Parameter columns: those of `fields` in order.
  /// - Throws: a violation of `recordingFacts`.
  public init(_ columns: some StoredColumns, from first: Int = 0) throws(RuleViolation) {
    self = Self.blank
    try Field.read(Self.fields, of: columns, from: first, into: &self)
    try validate()
  }

  /// Every field's value, in the order of `fields`.
  public var storedValues: [StoredValue] { Self.fields.map { $0.value(self) } }

  func requireFact(_ isAccepted: Bool, _ value: @autoclosure () -> String) throws(RuleViolation) {
    try require(isAccepted, .recordingFacts, value(), of: "a row of the table \(Self.table)")
  }
}

extension Field {
  /// A column that holds a list as JSON.
  init<Element: Codable & Sendable>(
    json name: String, _ path: any WritableKeyPath<Row, [Element]> & Sendable
  ) {
    self.init(name, rule: .recordingFacts, value: { JSONText($0[keyPath: path]).text }) { row, stored in
      guard case .text(let text) = stored, let elements: [Element] = JSONText(text: text).list() else { return false }
      row[keyPath: path] = elements
      return true
    }
  }
}

/// A list as the text of JSON, the same for the same list.
private struct JSONText {
  var text: String

  init(text: String) { self.text = text }

  init(_ elements: [some Encodable]) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    text = (try? encoder.encode(elements)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
  }

  /// `nil` if the text is not such a list.
  func list<Element: Decodable>() -> [Element]? { try? JSONDecoder().decode([Element].self, from: Data(text.utf8)) }
}
