/// A partial update of a row: assignments to its fields. A field without one keeps its value, or has its default in a
/// new row.
public struct Change<Row: Sendable>: Sendable {
  private var assignments: [any AssignmentTo<Row>] = []

  public init() {}

  public var isEmpty: Bool { assignments.isEmpty }

  /// Assigns a value to a field; `nil` assigns nothing.
  public mutating func set<Value: Sendable>(_ field: any WritableKeyPath<Row, Value> & Sendable, to value: Value?) {
    guard let value else { return }
    assignments.append(Assignment(field: field, value: value))
  }

  /// Assigns a value to a field that may have none; `nil` assigns nothing. `Value??.some(nil)` removes the value.
  public mutating func set<Value: Sendable>(_ field: any WritableKeyPath<Row, Value?> & Sendable, to value: Value?) {
    guard let value else { return }
    assignments.append(Assignment(field: field, value: value))
  }

  /// The value that is assigned to a field, the last if there are several.
  public subscript<Value: Sendable>(field: any WritableKeyPath<Row, Value> & Sendable) -> Value? {
    let assignment = assignments.last { $0.path == field }
    return (assignment as? Assignment<Row, Value>)?.value
  }

  /// Makes the assignments, in the order in which they were set.
  public func apply(to row: inout Row) {
    for assignment in assignments { assignment.apply(to: &row) }
  }

  /// A row with the assignments made.
  public func applied(to row: Row) -> Row {
    var row = row
    apply(to: &row)
    return row
  }
}

/// An assignment to a field of any type.
private protocol AssignmentTo<Row>: Sendable {
  associatedtype Row
  var path: PartialKeyPath<Row> { get }
  func apply(to row: inout Row)
}

private struct Assignment<Row: Sendable, Value: Sendable>: AssignmentTo {
  let field: any WritableKeyPath<Row, Value> & Sendable
  let value: Value

  var path: PartialKeyPath<Row> { field }

  func apply(to row: inout Row) { row[keyPath: field] = value }
}
