import DAWModel
import DAWStore

extension ChangeDescriber {
  /// Whether some of the changes are about a track, about what lies on it, its sends or those to it, or about a group
  /// that it is a member of.
  func concern(_ changes: RowChanges, _ track: Track, since revision: Int64) throws -> Bool {
    for change in changes.of({ RowDescription.all[$0]?.isContent == false }) {
      guard let description = change.description else { continue }
      for row in [change.wholeRow ?? last(change, by: \.old), last(change, by: \.new)] {
        if try isOn(track, change.id, description, row, since: revision) { return true }
      }
    }
    var owners: [RowKey: Bool] = [:]
    var isFound = false
    try changes.forEachContent { content in
      guard !isFound, let description = RowDescription.all[content.table],
        let table = description.parents.first?.kind.entity.table, let parent = RowDescription.all[table],
        let owner = try content.owner ?? labels.owner(ofContent: content.id, description, since: revision)
      else { return }
      let key = RowKey(table: table, id: owner)
      if owners[key] == nil { owners[key] = try isOn(track, owner, parent, nil, since: revision) }
      isFound = owners[key] == true
    }
    return isFound
  }

  /// The values of a changed row, of which those that did not change are not known.
  private func last(_ change: RowChange, by value: (RowChange.Value) -> StoredValue?) -> RowDescription.StoredRow? {
    guard let description = change.description else { return nil }
    var row = RowDescription.StoredRow(
      id: change.id, [StoredValue](repeating: .null, count: description.columns.count))
    for changed in change.values { row.values[1 + changed.column] = value(changed) ?? .null }
    return row
  }

  private func isMember(_ track: Track, ofGroup group: Int64, at revision: Int64) throws -> Bool {
    guard let description = RowDescription.all[GroupMember.table] else { return false }
    return try labels.rows(of: description, at: revision).contains { row in
      (try? GroupMember(row)).map { $0.track == track.id && $0.group.rawValue == group } ?? false
    }
  }

  private func isOn(
    _ track: Track, _ id: Int64, _ description: RowDescription, _ changed: RowDescription.StoredRow?,
    since revision: Int64, depth: Int = 0
  ) throws -> Bool {
    if description.kind == .track { return id == track.id.rawValue }
    if description.kind == .trackGroup { return try isMember(track, ofGroup: id, at: revision) }
    guard depth < 4, !description.parents.isEmpty else { return false }
    let rows = [changed, try labels.row(id, description, since: revision)].compactMap(\.self)
    // Of what connects two rows, the tracks: another member of the same group is not about this one.
    if let link = description.link {
      return rows.contains { row in
        [link.source, link.target].contains { end in
          description.columns.firstIndex { $0.name == end }
            .flatMap { description.value($0, row.values[1 + $0], in: row)?.present as? TrackID } == track.id
        }
      }
    }
    for reference in description.parents {
      guard let parent = RowDescription.all[reference.kind.entity.table] else { continue }
      let column =
        reference.column == "id" ? 0 : 1 + (description.columns.firstIndex { $0.name == reference.column } ?? -1)
      for row in rows {
        guard case .integer(let id) = row.value(column) else { continue }
        if try isOn(track, id, parent, nil, since: revision, depth: depth + 1) { return true }
      }
    }
    return false
  }
}
