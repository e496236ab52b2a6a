import DAWModel
import GRDB

/// The rows that some journal entries changed.
struct JournaledChanges {
  private(set) var tables: Set<String> = []
  private(set) var regions: Set<Int64> = []
  /// Changed rows of `Content`, by table.
  private(set) var contents = JournaledChanges.tablesOfContents

  /// Changed rows of `Content`.
  struct Contents {
    var rows: Set<Int64> = []
    /// The rows that they belong or belonged to, if the changesets contain them.
    var owners: Set<Int64> = []

    fileprivate mutating func add(_ row: ChangedRow) {
      rows.insert(row.id)
      if let owner = row.oldSecond { owners.insert(owner) }
      if let owner = row.newSecond { owners.insert(owner) }
    }
  }

  private static let tablesOfContents = Dictionary(
    uniqueKeysWithValues: RowDescription.all.values.filter(\.isContent).map { ($0.table, Contents()) })

  mutating func add(_ changeset: Changeset) throws {
    try changeset.forEachRow { row in
      switch row.table {
      case Region.table: regions.insert(row.id)
      case let table:
        if contents[table]?.add(row) == nil { tables.insert(table) }
      }
    }
  }

  func concern(_ table: String) -> Bool { tables.contains(table) }
}

extension ProjectView {
  /// Updates a project's contents of one entity after some of their rows were changed.
  static func update<C: Content>(
    _ entity: C.Type, of project: inout Project, by changes: JournaledChanges, in database: Database
  ) throws {
    guard let changes = changes.contents[C.table], !changes.rows.isEmpty else { return }
    // The owner of a deleted row is known from the entry that deleted it.
    let present = try changes.rows.sorted().flatMap { id in try C.fetch("WHERE id = ?", [id], in: database) }
    let found = Dictionary(grouping: present, by: \.owner)
    for owner in Set(found.keys).union(changes.owners.map(Identifier<C.Owner>.init(rawValue:))) {
      let old = project[keyPath: C.contents][owner] ?? []
      let rows = merged(old, without: changes.rows, with: found[owner] ?? [])
      project[keyPath: C.contents][owner] = rows.isEmpty ? nil : rows
    }
  }

  private static func merged<C: Content>(_ old: [C], without touched: Set<Int64>, with new: [C]) -> [C] {
    guard let least = touched.min(), let greatest = touched.max() else { return old }
    var new = new.sorted { $0.precedes($1) }[...]
    var rows: [C] = []
    rows.reserveCapacity(old.count + new.count)
    for row in old {
      let id = row.id.rawValue
      if id >= least, id <= greatest, touched.contains(id) { continue }
      while let next = new.first, next.precedes(row) { rows.append(new.removeFirst()) }
      rows.append(row)
    }
    return rows + new
  }
}
