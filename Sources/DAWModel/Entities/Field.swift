/// One column of a table, and the conversion between its stored values and a row's property.
public struct Field<Row>: Sendable {
  /// The column's name.
  public let name: String
  /// The rule that a stored value breaks if it cannot be represented.
  public let rule: Rule
  /// Whether the value is computed from other fields: it is written, and checked by an audit, but not read.
  public let isDerived: Bool
  public let value: @Sendable (Row) -> StoredValue
  /// - Returns: `false` if the value cannot be represented.
  public let assign: @Sendable (inout Row, StoredValue) -> Bool
  /// Whether it depends on other columns what a stored value means.
  let dependsOnRow: Bool
  private let describe: @Sendable (StoredValue, () -> Row?) -> (any FieldValue)?

  /// A column that is one stored property.
  /// - Parameters:
  ///   - rule: the rule that a stored value breaks if it cannot be represented.
  ///   - form: the form in which users see the value, if it is not that of the property's type.
  public init<Value: StorableValue>(
    _ name: String, _ path: any WritableKeyPath<Row, Value> & Sendable, rule: Rule,
    as form: (@Sendable (Value) -> any FieldValue)? = nil
  ) {
    self.name = name
    self.rule = rule
    isDerived = false
    dependsOnRow = false
    value = { $0[keyPath: path].stored }
    assign = { row, stored in
      guard let value = Value(stored: stored) else { return false }
      row[keyPath: path] = value
      return true
    }
    describe = { stored, _ in Value(stored: stored).map { form?($0) ?? $0 } }
  }

  /// A column that is not one stored property.
  /// - Parameter value: of a type that is not `StorableValue` if it depends on other columns what the stored value
  ///   means.
  public init<Value: FieldValue>(
    _ name: String, rule: Rule, value: @escaping @Sendable (Row) -> Value,
    assign: @escaping @Sendable (inout Row, StoredValue) -> Bool
  ) {
    self.name = name
    self.rule = rule
    isDerived = false
    dependsOnRow = !(Value.self is any StorableValue.Type)
    self.value = { value($0).stored }
    self.assign = assign
    describe = { stored, row in
      if let type = Value.self as? any StorableValue.Type { return type.init(stored: stored) }
      guard var row = row(), assign(&row, stored) else { return nil }
      return value(row)
    }
  }

  /// A column that is computed from other fields.
  public init(_ name: String, rule: Rule, derived: @escaping @Sendable (Row) -> some StorableValue) {
    self.name = name
    self.rule = rule
    isDerived = true
    dependsOnRow = false
    value = { derived($0).stored }
    assign = { _, _ in true }
    describe = { _, _ in nil }
  }

  /// A stored value with its unit.
  /// - Parameter row: the row that it is or was part of, needed if other columns decide what it means.
  /// - Returns: `nil` if it cannot be represented, or the field is derived.
  func described(_ stored: StoredValue, in row: @autoclosure () -> Row?) -> (any FieldValue)? {
    describe(stored, row)
  }
}

/// The columns of a stored row, by index.
public protocol StoredColumns {
  func value(_ column: Int) -> StoredValue
  /// 0 if the column does not hold an integer.
  func integer(_ column: Int) -> Int64
}

extension Field {
  /// Reads columns into `value`.
  /// - Parameter first: the index of the first field's column.
  /// - Throws: the rule of the first column whose value cannot be represented.
  public static func read(
    _ fields: [Field<Row>], of columns: some StoredColumns, from first: Int, into value: inout Row
  ) throws(RuleViolation) {
    // By index: pairs would look their type up at each field.
    for index in fields.indices {
      let field = fields[index]
      if field.isDerived { continue }
      let stored = columns.value(first + index)
      if !field.assign(&value, stored) { throw RuleViolation(field.rule, value: "\(stored)") }
    }
  }
}
