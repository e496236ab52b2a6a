import DAWModel
import GRDB

/// Which rows an edit has changed, and the later edits that build on it: so an edit is found that cannot stay when the first
/// one is taken back from under it.
struct DependentRows {
  /// Rows that were added or removed, by table.
  private var whole: [String: Set<Int64>] = [:]
  /// The columns that were changed of others, as `ChangedRow.changedColumns` has them.
  private var columns: [String: [Int64: UInt64]] = [:]

  /// The table that the second column of another refers to. Other references are not followed: that of a region to its file
  /// is found broken by the audit.
  private static let parents = [MIDINote.table: "region", RegionEvent.table: "region", "region": "track"]

  init(of changeset: Changeset) throws { try add(changeset) }

  /// Whether a later edit changes what was changed before, or adds to it. If so its own rows are counted from now on: what
  /// builds on them builds on the first edit as well.
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
    guard let parents = Self.parents[row.table].flatMap({ whole[$0] }) else { return false }
    return [row.oldSecond, row.newSecond].contains { $0.map(parents.contains) ?? false }
  }
}
