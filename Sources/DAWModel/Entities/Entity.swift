/// A kind of row of a project, declared once. Storing, checking, changing, listing and undoing rows follow from the
/// declaration; the table's SQL, the JSON, the commands and their help are written by hand.
/// - SeeAlso: `Documentation/AddingAnEntity.md`
public protocol Entity: IdentifiedKind, Hashable, Sendable, Identifiable where ID == Identifier<Self> {
  static var kind: EntityKind { get }
  /// The name of its table.
  static var table: String { get }
  /// Every column of the table but the id; those of `Content` in the table's order.
  static var fields: [Field<Self>] { get }
  /// The rows that it is deleted with.
  static var parents: [ParentReference] { get }
  /// Columns that are emptied when the row that they refer to is deleted.
  static var clearedReferences: [ParentReference] { get }
  /// How messages call a row that connects two others; `nil` if it is none.
  static var link: LinkLabel? { get }
  /// Where `Project` keeps the rows; `nil` if they are `Content`.
  static var collection: RowCollection<Self>? { get }

  /// A row whose fields are yet to be assigned. It need not obey any rule.
  init(blank id: Identifier<Self>)
  /// Reads a row through `fields`. Entities with millions of rows implement it by hand.
  /// - Parameter columns: the id, and those of `fields` in order.
  /// - Throws: the rule of the first column whose value cannot be represented. Other rules are not checked.
  init(_ columns: some StoredColumns) throws(RuleViolation)
  var id: Identifier<Self> { get }
  /// What messages call the row.
  var subject: String { get }

  /// Checks the rules that concern only this row.
  /// - Throws: the first rule that is broken.
  func validate() throws(RuleViolation)
  /// Checks the rules that involve other rows, after `validate()`.
  /// - Parameter old: the row that this one replaces; `nil` for a new row.
  /// - Throws: `RuleViolation`, `EditError.missing`.
  func validate(in tables: some ModelTables, replacing old: Self?) throws
  /// Whether `validateRemoval(from:)` can refuse a row.
  static var isRemovalRestricted: Bool { get }
  /// Checks whether the row may be removed.
  /// - Throws: `RuleViolation`.
  func validateRemoval(from tables: some ModelTables) throws

  /// Checks all rules of rows that are added, or replace those with their ids.
  static func validate(_ rows: [Self], in tables: some ModelTables, areNew: Bool) throws
}

/// Where a project keeps an entity's rows, by id.
public typealias RowCollection<E: Entity> = any WritableKeyPath<Project, [Identifier<E>: E]> & Sendable

/// A column that refers to a parent row.
public struct ParentReference: Sendable {
  public let kind: EntityKind
  public let column: String

  public init(_ kind: EntityKind, column: String) {
    self.kind = kind
    self.column = column
  }
}

/// Columns that refer to the ends of a connection, and a word between their names: "Vocal → Reverb".
public struct LinkLabel: Sendable {
  public let source: String
  public let word: String
  public let target: String

  public init(from source: String, _ word: String, to target: String) {
    self.source = source
    self.word = word
    self.target = target
  }
}

extension Entity {
  public static var identifierKind: UInt8 { kind.rawValue }
  public static var parents: [ParentReference] { [] }
  public static var clearedReferences: [ParentReference] { [] }
  public static var link: LinkLabel? { nil }
  public static var isRemovalRestricted: Bool { false }

  public init(_ columns: some StoredColumns) throws(RuleViolation) {
    guard case .integer(let number) = columns.value(0) else {
      throw RuleViolation(.identifier, value: "the id \(columns.value(0))")
    }
    self.init(blank: Identifier(rawValue: number))
    try Field.read(Self.fields, of: columns, from: 1, into: &self)
  }

  public func validate(in tables: some ModelTables, replacing old: Self?) throws {}
  public func validateRemoval(from tables: some ModelTables) throws {}

  public static func validate(_ rows: [Self], in tables: some ModelTables, areNew: Bool) throws {
    for row in rows {
      let old = areNew ? nil : try tables.require(row.id)
      try row.validate()
      try row.validate(in: tables, replacing: old)
    }
  }

  func requireID() throws(RuleViolation) {
    try require(id.rawValue > 0, .identifier, "the id \(id.rawValue)", of: subject)
  }

  /// Every field's value, in the order of `fields`.
  public var storedValues: [StoredValue] { Self.fields.map { $0.value(self) } }
}
