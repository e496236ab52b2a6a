import DAWModel
import DAWStore

/// A row that edits added, changed or removed, with all its values as they are stored.
public struct ChangedRecord: Sendable {
  /// The name of the entity, "project", or that of a table that the model does not have.
  public var entity: String
  /// `nil` for the project's settings.
  public var uuid: String?
  public var operation: RowChange.Operation
  /// What users call it; `nil` for notes, events and points.
  public var name: String?
  /// What users call the region of a note or an event.
  public var region: String?
  /// What users call the lane of a point.
  public var lane: String?
  public var fields: [Field]

  public struct Field: Sendable {
    /// The column's name.
    public var name: String
    /// `nil` for a row that was added.
    public var old: Value?
    /// `nil` for a row that was removed.
    public var new: Value?
  }

  public struct Value: Sendable {
    public var stored: StoredValue
    /// `nil` if the value cannot be represented, or depends on other columns.
    public var field: (any FieldValue)?
  }
}

extension ChangeReport {
  /// Every changed row. Made one at a time, since there may be millions.
  public var records: some Sequence<ChangedRecord> { changes.lazy.map(record) }

  private func record(of change: RowChange) -> ChangedRecord {
    guard let description = change.description else {
      return ChangedRecord(entity: change.table, operation: change.operation, fields: [])
    }
    let values = change.values.filter { !description.columns[$0.column].isDerived }
    let fields = values.map { value in
      let (old, new) = (value.old, value.new)
      func described(_ stored: StoredValue) -> ChangedRecord.Value {
        ChangedRecord.Value(stored: stored, field: description.value(value.column, stored, in: nil)?.present)
      }
      return ChangedRecord.Field(
        name: description.columns[value.column].name, old: old.map(described), new: new.map(described))
    }
    let key = RowKey(table: change.table, id: change.id)
    return ChangedRecord(
      entity: description.kind.map { "\($0)" } ?? description.noun, uuid: description.uuid(of: change.id),
      operation: change.operation, name: labels[key],
      region: owner(of: key, description, .region, "region", fields),
      lane: owner(of: key, description, .lane, "lane", fields), fields: fields)
  }

  /// The label of the row that a row of `Content` belongs to, if that is of a kind.
  private func owner(
    of key: RowKey, _ description: RowDescription, _ kind: EntityKind, _ column: String, _ fields: [ChangedRecord.Field]
  ) -> String? {
    guard description.isContent, description.parents.first?.kind == kind else { return nil }
    let reference = fields.first { $0.name == column }.flatMap { $0.new ?? $0.old }?.field as? any RowReference
    return (reference?.rawValue ?? owners[key]).flatMap { labels[RowKey(table: kind.entity.table, id: $0)] }
  }
}
