import DAWModel
import DAWStore
import DAWTime

/// Describes what edits changed. Valid as long as the view that it was made from.
public struct ChangeDescriber {
  let labels: RowLabels

  public init(_ view: ProjectView) throws { labels = try RowLabels(view) }

  /// Notes, events and points are told one by one up to this number in all.
  private static let maximumContents = 12

  /// - Parameters:
  ///   - revisions: the first and the last of the changes; the rows that they are about are looked for in the history
  ///     from there on.
  ///   - limit: how many rows of a kind are told one by one; `nil` for all but `Content`, with the labels of all.
  public func report(
    _ changes: RowChanges, of revisions: ClosedRange<Int64>, limit: Int?
  ) throws -> ChangeReport {
    var report = ChangeReport(changes: changes)
    var told: [String: Int] = [:]
    var others: [String: CountedRows] = [:]
    // A changeset has them in no order; ids are in that in which rows were made.
    let rows = changes.of({ RowDescription.all[$0]?.isContent != true }).sorted { $0.id < $1.id }
    for change in rows {
      guard let description = change.description else {
        others[change.table, default: CountedRows(noun: "row of an unknown table '\(change.table.bounded)'")]
          .count(change.operation)
        continue
      }
      let kind = change.table + change.operation.rawValue
      if let limit, told[kind, default: 0] >= limit {
        others[kind, default: CountedRows(noun: "more \(description.noun)")].count(change.operation)
      } else if let row = try describe(change, description, revisions) {
        told[kind, default: 0] += 1
        report.rows.append(row)
        report.labels[row.key] = row.label.text
      }
    }
    try addContents(to: &report, revisions, isComplete: limit == nil)
    // Tracks before their regions.
    let order = { (row: DescribedRow) in RowDescription.all[row.key.table]?.kind?.rawValue ?? 0 }
    report.rows = report.rows.enumerated().sorted { (order($0.element), $0.offset) < (order($1.element), $1.offset) }
      .map(\.element)
    report.counts += others.sorted { $0.key < $1.key }.map(\.value)
    distinguish(&report.rows)
    return report
  }

  /// - Returns: `nil` if only columns that no user sees have changed.
  private func describe(
    _ change: RowChange, _ description: RowDescription, _ revisions: ClosedRange<Int64>
  ) throws -> DescribedRow? {
    let revision = revisions.lowerBound
    let isPoint = description.kind == .lanePoint
    var last = try change.wholeRow ?? labels.row(change.id, description, since: revision)
    if isPoint, change.operation == .changed { last = try point(change, description, last, since: revision) }
    var row = DescribedRow(
      key: RowKey(table: change.table, id: change.id), operation: change.operation, noun: description.noun,
      label: try labels.label(
        of: change.id, description, row: last, since: revision,
        positionAt: isPoint ? positionRevision(change, description, revisions) : nil))
    guard change.operation == .changed else { return row }
    let text = FieldText(map: labels.map) { reference in
      guard let description = RowDescription.all[type(of: reference).kind.entity.table] else { return "" }
      return try labels.label(of: reference.rawValue, description, since: revision).text
    }
    var context = last
    if change.values.contains(where: { description.columns[$0.column].dependsOnRow }) {
      context = try labels.row(change.id, description, at: revisions.upperBound)
    }
    let oldLane = try isPoint ? lane(last, at: max(0, revisions.lowerBound - 1)) : nil
    let newLane = try isPoint ? lane(last, at: revisions.upperBound) : nil
    let (before, after) = (context?.replacing(change.oldValues), context?.replacing(change.newValues))
    row.fields = try change.values.filter { !description.columns[$0.column].isDerived }.map { value in
      let old = value.old.flatMap { description.value(value.column, $0, in: before) }
      let new = value.new.flatMap { description.value(value.column, $0, in: after) }
      let pair = try text.pair(
        onTimeline(old, oldLane ?? newLane), onTimeline(new, newLane ?? oldLane), stored: (value.old, value.new))
      return DescribedField(
        name: FieldText.name(ofColumn: description.columns[value.column].name), old: pair?.old, new: pair?.new)
    }
    return row.fields.isEmpty ? nil : row
  }

  /// A point as a change left it: of one that is gone since, its lane and what the change tells.
  /// - Parameter present: as it is now.
  private func point(
    _ change: RowChange, _ description: RowDescription, _ present: RowDescription.StoredRow?, since revision: Int64
  ) throws -> RowDescription.StoredRow? {
    var row = present
    if row == nil, let lane = try labels.owner(ofContent: change.id, description, since: revision) {
      let unknown = [StoredValue](repeating: .null, count: description.columns.count - 1)
      row = RowDescription.StoredRow(id: change.id, [.integer(lane)] + unknown)
    }
    return row?.replacing(change.newValues)
  }

  /// The revision whose lane says what the position of a changed point counts; `nil` where the change tells none.
  private func positionRevision(
    _ change: RowChange, _ description: RowDescription, _ revisions: ClosedRange<Int64>
  ) -> Int64? {
    switch change.operation {
    case .added: return revisions.upperBound
    case .removed: return max(0, revisions.lowerBound - 1)
    case .changed:
      let tellsPosition = change.values.contains { description.columns[$0.column].name == "position" }
      return tellsPosition ? revisions.upperBound : nil
    }
  }

  /// The lane of a point as it was at a revision.
  private func lane(
    _ point: RowDescription.StoredRow?, at revision: Int64
  ) throws -> RowDescription.StoredRow? {
    guard case .integer(let id)? = point?.value(1), let description = RowDescription.all[Lane.table] else { return nil }
    return try labels.row(id, description, at: revision)
  }

  /// The position of a point as what its lane counts; another value as it is.
  private func onTimeline(_ value: (any FieldValue)?, _ lane: RowDescription.StoredRow?) -> (any FieldValue)? {
    guard let place = value as? LanePlace else { return value }
    return labels.place(place, onLane: lane) ?? value
  }

  /// Adds notes, events and points: one by one if they are few, else by region or lane.
  /// - Parameter isComplete: whether the owner of each is looked for.
  private func addContents(
    to report: inout ChangeReport, _ revisions: ClosedRange<Int64>, isComplete: Bool
  ) throws {
    let revision = revisions.lowerBound
    var counts: [RowKey: CountedRows] = [:]
    var lookups = isComplete ? Int.max : Self.maximumLookups
    var (rows, count): ([RowChange], Int) = ([], 0)
    try report.changes.forEachContent { content in
      guard let description = RowDescription.all[content.table] else { return }
      count += 1
      var owner = content.owner
      if owner == nil, lookups > 0 {
        lookups -= 1
        owner = try labels.owner(ofContent: content.id, description, since: revision)
        if isComplete { report.owners[RowKey(table: content.table, id: content.id)] = owner }
      }
      counts[RowKey(table: content.table, id: owner ?? 0), default: CountedRows(noun: description.noun)].count(
        content.operation)
    }
    guard count > 0 else { return }
    if count <= Self.maximumContents {
      rows = report.changes.of({ RowDescription.all[$0]?.isContent == true }).sorted { $0.id < $1.id }
      report.rows += try rows.compactMap { change in
        try change.description.flatMap { try describe(change, $0, revisions) }
      }
    }
    for (key, found) in counts.sorted(by: { ($0.key.table, $0.key.id) < ($1.key.table, $1.key.id) }) {
      var found = found
      let table = RowDescription.all[key.table]?.parents.first?.kind.entity.table
      if key.id != 0, let table, let parent = RowDescription.all[table] {
        found.parent = try labels.label(of: key.id, parent, since: revision).text
        report.labels[RowKey(table: table, id: key.id)] = found.parent
      }
      if count > Self.maximumContents { report.counts.append(found) }
    }
  }

  private static let maximumLookups = 20_000

  /// Adds the ends of ids to labels that several rows have.
  private func distinguish(_ rows: inout [DescribedRow]) {
    let counts = Dictionary(rows.map { ([$0.noun, $0.label.text], 1) }, uniquingKeysWith: +)
    for index in rows.indices where counts[[rows[index].noun, rows[index].label.text], default: 0] > 1 {
      rows[index].label.text += " (\(rows[index].key.shortID))"
    }
  }
}

extension RowKey {
  /// The end of the UUID, which commands accept if no other row's ends so.
  fileprivate var shortID: String {
    let digits = String(UInt64(bitPattern: id), radix: 16)
    return String((String(repeating: "0", count: 6) + digits).suffix(6))
  }
}
