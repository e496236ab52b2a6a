/// How the rows of a table are described: its fields, whatever entity it is.
public struct RowDescription: Sendable {
  /// `nil`: the project's settings.
  public let kind: EntityKind?
  public let noun: String
  public let table: String
  public let parents: [ParentReference]
  public let link: LinkLabel?
  /// The columns but the id, in the order of the entity's fields.
  public let columns: [Column]
  /// Whether it is `Content`, of which there may be millions: then its first parent is its owner.
  public let isContent: Bool
  private let uuid: @Sendable (Int64) -> String?
  private let value: @Sendable (_ column: Int, StoredValue, _ row: StoredRow?) -> (any FieldValue)?

  public struct Column: Sendable {
    public let name: String
    /// Follows from other columns.
    public let isDerived: Bool
    /// Whether it depends on other columns what a stored value means.
    public let dependsOnRow: Bool

    init<Row>(_ field: Field<Row>) {
      name = field.name
      isDerived = field.isDerived
      dependsOnRow = field.dependsOnRow
    }
  }

  /// The id, and the values of `columns`.
  public struct StoredRow: StoredColumns, Sendable {
    public var values: [StoredValue]

    /// Replaces the values of some columns, indices of `columns`.
    public func replacing(_ changes: some Sequence<(column: Int, value: StoredValue)>) -> StoredRow {
      var row = self
      for (column, value) in changes { row.values[1 + column] = value }
      return row
    }

    public init(id: Int64, _ values: [StoredValue]) { self.values = [.integer(id)] + values }

    public func value(_ column: Int) -> StoredValue { values.indices.contains(column) ? values[column] : .null }

    public func integer(_ column: Int) -> Int64 {
      if case .integer(let number) = value(column) { number } else { 0 }
    }
  }

  public init<E: Entity>(_ entity: E.Type) {
    kind = E.kind
    noun = E.noun
    table = E.table
    parents = E.parents
    link = E.link
    isContent = entity is any Content.Type
    columns = E.fields.map(Column.init)
    uuid = { Identifier<E>(rawValue: $0).uuidString }
    value = { column, stored, row in E.fields[column].described(stored, in: row.flatMap { try? E($0) }) }
  }

  private init() {
    kind = nil
    noun = "project"
    table = "project"
    parents = []
    link = nil
    isContent = false
    columns = ProjectSettings.fields.map(Column.init)
    uuid = { _ in nil }
    value = { column, stored, _ in ProjectSettings.fields[column].described(stored, in: nil) }
  }

  /// By the name of the table.
  public static let all: [String: RowDescription] = {
    let all = [RowDescription()] + EntityKind.allCases.map { RowDescription($0.entity) }
    return Dictionary(all.map { ($0.table, $0) }) { first, _ in first }
  }()

  /// `nil` for the project's settings.
  public func uuid(of id: Int64) -> String? { uuid(id) }

  /// A stored value with its unit.
  /// - Parameters:
  ///   - column: an index of `columns`.
  ///   - row: the row that it is or was part of, if it is known.
  /// - Returns: `nil` if it has none, or cannot be represented.
  public func value(_ column: Int, _ stored: StoredValue, in row: StoredRow?) -> (any FieldValue)? {
    value(column, stored, row)
  }
}
