import DAWModel
import GRDB

/// The rows that an edit changed, to find later edits that depend on it and prevent it from being undone alone.
struct DependentRows {
  /// Rows that were inserted or deleted, by table.
  private var whole: [String: Set<Int64>] = [:]
  /// The columns that were changed of other rows, as in `ChangedRow.changedColumns`.
  private var columns: [String: [Int64: UInt64]] = [:]

  /// The parent table that a table's id or second column refers to. Other references are not followed; the audit finds
  /// it if a region's file would be missing.
  private static let parents = EntityKind.allCases.reduce(into: [String: (table: String, isID: Bool)]()) { all, kind in
    let (entity, second) = (kind.entity, kind.entity.sql.columnNames[1])
    if let parent = entity.parents.first(where: { ["id", second].contains($0.column) }) {
      all[entity.table] = (parent.kind.entity.table, parent.column == "id")
    }
  }

  init(of changeset: Changeset) throws { try add(changeset) }

  /// Whether a later edit changes or adds to the rows collected so far. If it does its own rows are collected as well,
  /// so that indirect dependents are found.
  mutating func addIfDependent(_ changeset: Changeset) throws -> Bool {
    var isDependent = false
    try changeset.forEachRow { if !isDependent { isDependent = concerns($0) } }
    if isDependent { try add(changeset) }
    return isDependent
  }

  private mutating func add(_ changeset: Changeset) throws {
    try changeset.forEachRow { row in
      if row.operation == .update {
        columns[row.table, default: [:]][row.id, default: 0] |= row.changedColumns
      } else {
        whole[row.table, default: []].insert(row.id)
      }
    }
  }

  private func concerns(_ row: ChangedRow) -> Bool {
    if whole[row.table]?.contains(row.id) == true { return true }
    if let changed = columns[row.table]?[row.id], row.operation != .update || changed & row.changedColumns != 0 {
      return true
    }
    guard let parent = Self.parents[row.table], let parents = whole[parent.table] else { return false }
    let references = parent.isID ? [row.id] : [row.oldSecond, row.newSecond]
    return references.contains { $0.map(parents.contains) ?? false }
  }
}
