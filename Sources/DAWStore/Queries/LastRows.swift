import DAWModel
import GRDB

/// Rows as they are now, were when they were removed, or were at a revision. Valid as long as the view that it was made
/// from. Rows of `Content` are only known as they are now.
public final class LastRows {
  public typealias StoredRow = RowDescription.StoredRow

  private let view: ProjectView
  private var present: [Key: StoredRow?] = [:]
  /// What the journal's entries from its end down to the revision `scanned` did to rows, the newest first.
  private var steps: [Key: [Step]] = [:]
  private var scanned: Int64 = .max
  /// The owners of rows of `Content` that were removed by those entries.
  private var owners: [Key: Int64] = [:]

  private struct Key: Hashable {
    var table: String
    var id: Int64
  }

  private struct Step {
    var revision: Int64
    /// The row before it; `nil` if it added the row.
    var before: (StoredRow?) -> StoredRow?
    var isRemoval: Bool
  }

  public init(_ view: ProjectView) { self.view = view }

  /// A row as it is now, or as it was when it was last removed.
  /// - Parameter revision: it was there then.
  /// - Returns: `nil` if the history tells nothing of it.
  public func row(_ id: Int64, of description: RowDescription, since revision: Int64) throws -> StoredRow? {
    let key = Key(table: description.table, id: id)
    if let row = try presentRow(key, description) { return row }
    guard !description.isContent else { return nil }
    func removal() -> Step? { steps[key]?.first(where: \.isRemoval) }
    try scan(to: revision) { removal() != nil }
    return removal()?.before(nil)
  }

  /// A row as it was at a revision.
  public func row(_ id: Int64, of description: RowDescription, at revision: Int64) throws -> StoredRow? {
    let key = Key(table: description.table, id: id)
    try scan(to: revision) { false }
    return try (steps[key] ?? []).prefix { $0.revision > revision }
      .reduce(presentRow(key, description)) { row, step in step.before(row) }
  }

  /// All rows of a table, but of `Content`, as they were at a revision.
  public func rows(of description: RowDescription, at revision: Int64) throws -> [StoredRow] {
    try scan(to: revision) { false }
    let present = try Int64.fetchAll(
      view.database.cachedStatement(sql: "SELECT id FROM \(description.table)"))
    let ids = Set(present).union(steps.keys.lazy.filter { $0.table == description.table }.map(\.id))
    return try ids.sorted().compactMap { try row($0, of: description, at: revision) }
  }

  /// The owner of a row of `Content` that was there at a revision.
  public func owner(ofContent id: Int64, _ description: RowDescription, since revision: Int64) throws -> Int64? {
    let key = Key(table: description.table, id: id)
    let sql = "SELECT \(description.parents[0].column) FROM \(description.table) WHERE id = ?"
    if let owner = try Int64.fetchOne(view.database.cachedStatement(sql: sql), arguments: [id]) { return owner }
    try scan(to: revision) { owners[key] != nil }
    return owners[key]
  }

  private func presentRow(_ key: Key, _ description: RowDescription) throws -> StoredRow? {
    if let known = present[key] { return known }
    var row: StoredRow?
    let names = description.columns.map(\.name).joined(separator: ", ")
    try StatementRow.forEach("SELECT \(names) FROM \(key.table) WHERE id = ?", [key.id], in: view.database) { columns in
      row = StoredRow(id: key.id, description.columns.indices.map(columns.value))
    }
    // Bounds memory: an edit may be about any number of rows.
    if present.count >= 10_000 { present = [:] }
    present[key] = .some(row)
    return row
  }

  /// Reads the journal from its end back to a revision, unless it was read before.
  private func scan(to revision: Int64, until isFound: () -> Bool) throws {
    let journal = Journal(database: view.database)
    while scanned > revision, !isFound(), let next = try journal.lastRevision(before: scanned), next > revision {
      scanned = next
      let changes = RowChanges(changeset: try journal.changeset(ofRevision: next), layout: try view.tableLayout())
      for change in changes.of({ RowDescription.all[$0]?.isContent == false }) {
        steps[Key(table: change.table, id: change.id), default: []].append(step(change, next))
      }
      try changes.forEachContent { content in
        let key = Key(table: content.table, id: content.id)
        if content.operation == .removed, let owner = content.owner, owners[key] == nil { owners[key] = owner }
      }
    }
  }

  private func step(_ change: RowChange, _ revision: Int64) -> Step {
    switch change.operation {
    case .added: Step(revision: revision, before: { _ in nil }, isRemoval: false)
    case .removed: Step(revision: revision, before: { [row = change.wholeRow] _ in row }, isRemoval: true)
    case .changed:
      Step(revision: revision, before: { $0?.replacing(change.oldValues) }, isRemoval: false)
    }
  }
}

extension Journal {
  fileprivate func lastRevision(before revision: Int64) throws -> Int64? {
    try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT max(revision) FROM journalEntry WHERE revision < ?"), arguments: [revision])
  }
}
