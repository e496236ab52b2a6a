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

  /// A column that is one stored property.
  /// - Parameter rule: the rule that a stored value breaks if it cannot be represented.
  public init<Value: StorableValue>(
    _ name: String, _ path: any WritableKeyPath<Row, Value> & Sendable, rule: Rule
  ) {
    self.name = name
    self.rule = rule
    isDerived = false
    value = { $0[keyPath: path].stored }
    assign = { row, stored in
      guard let value = Value(stored: stored) else { return false }
      row[keyPath: path] = value
      return true
    }
  }

  /// A column that is not one stored property.
  public init(
    _ name: String, rule: Rule, value: @escaping @Sendable (Row) -> some StorableValue,
    assign: @escaping @Sendable (inout Row, StoredValue) -> Bool
  ) {
    self.name = name
    self.rule = rule
    isDerived = false
    self.value = { value($0).stored }
    self.assign = assign
  }

  /// A column that is computed from other fields.
  public init(_ name: String, rule: Rule, derived: @escaping @Sendable (Row) -> some StorableValue) {
    self.name = name
    self.rule = rule
    isDerived = true
    value = { derived($0).stored }
    assign = { _, _ in true }
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
    for (index, field) in fields.enumerated() where !field.isDerived {
      let stored = columns.value(first + index)
      if !field.assign(&value, stored) { throw RuleViolation(field.rule, value: "\(stored)") }
    }
  }
}
