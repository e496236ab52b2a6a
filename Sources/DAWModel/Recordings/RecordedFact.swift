import Foundation

/// A row of what was recorded: not part of the project that a player reads, and outside its history.
/// - SeeAlso: `Documentation/Decisions/0029-facts-are-not-edits.md`
public protocol RecordedFact: Hashable, Sendable {
  static var table: String { get }
  /// The columns that tell a row from the others.
  static var key: [String] { get }
  /// The rule that a row breaks which the program did not write.
  static var rule: Rule { get }
  /// Columns of the table; all but numbers that SQLite gives to rows that have no id of their own.
  static var fields: [Field<Self>] { get }
  /// Its fields are yet to be assigned.
  static var blank: Self { get }

  /// - Throws: a violation of `rule`.
  func validate() throws(RuleViolation)
}

extension RecordedFact {
  public static var rule: Rule { .recordingFacts }

  /// - Parameter columns: those of `fields` in order.
  /// - Throws: a violation of `rule`.
  public init(_ columns: some StoredColumns, from first: Int = 0) throws(RuleViolation) {
    self = Self.blank
    try Field.read(Self.fields, of: columns, from: first, into: &self)
    try validate()
  }

  /// Every field's value, in the order of `fields`.
  public var storedValues: [StoredValue] { Self.fields.map { $0.value(self) } }

  func requireFact(_ isAccepted: Bool, _ value: @autoclosure () -> String) throws(RuleViolation) {
    try require(isAccepted, Self.rule, value(), of: "a row of the table \(Self.table)")
  }
}

extension Field where Row: RecordedFact {
  /// A column that holds a list as JSON.
  /// - Parameter read: reads the text if it is written in the usual way; else `JSONDecoder` does.
  init<Element: Codable & Sendable>(
    json name: String, _ path: any WritableKeyPath<Row, [Element]> & Sendable,
    usually read: @escaping @Sendable (String) -> [Element]? = { _ in nil }
  ) {
    self.init(name, rule: Row.rule, value: { JSONText($0[keyPath: path]).text }) { row, stored in
      guard case .text(let text) = stored, let elements = read(text) ?? JSONText(text: text).list()
      else { return false }
      row[keyPath: path] = elements
      return true
    }
  }
}

extension Field where Row: RecordedFact {
  /// The columns of the process that works on a row; the first of them says whether there is one.
  static func owner(_ path: any WritableKeyPath<Row, OwnerProcess?> & Sendable) -> [Field<Row>] {
    [
      Field("ownerProcess", rule: Row.rule, value: { $0[keyPath: path]?.processID }) { row, stored in
        guard let process = Int?(stored: stored) else { return false }
        row[keyPath: path] = process.map { OwnerProcess(processID: $0, startTime: 0, bootID: "") }
        return true
      },
      ownerField("ownerStartTime", path, \.startTime), ownerField("ownerBoot", path, \.bootID),
    ]
  }

  private static func ownerField<Value: StorableValue>(
    _ name: String, _ owner: any WritableKeyPath<Row, OwnerProcess?> & Sendable,
    _ path: any WritableKeyPath<OwnerProcess, Value> & Sendable
  ) -> Field<Row> {
    Field(name, rule: Row.rule, value: { $0[keyPath: owner]?[keyPath: path] }) { row, stored in
      guard row[keyPath: owner] != nil else { return stored == .null }
      guard let value = Value(stored: stored) else { return false }
      row[keyPath: owner]?[keyPath: path] = value
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
  func list<Element: Decodable>() -> [Element]? {
    text == "[]" ? [] : try? JSONDecoder().decode([Element].self, from: Data(text.utf8))
  }
}
