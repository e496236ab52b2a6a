import DAWModel
import DAWTime
import GRDB

/// The rows that some journal entries changed.
struct JournaledChanges {
  private(set) var tables: Set<String> = []
  private(set) var regions: Set<Int64> = []
  private(set) var notes = Contents()
  private(set) var events = Contents()

  /// Changed notes or events.
  struct Contents {
    var rows: Set<Int64> = []
    /// The regions that they belong or belonged to, if the changesets contain them.
    var regions: Set<Int64> = []

    fileprivate mutating func add(_ row: ChangedRow) {
      rows.insert(row.id)
      if let region = row.oldSecond { regions.insert(region) }
      if let region = row.newSecond { regions.insert(region) }
    }
  }

  mutating func add(_ changeset: Changeset) throws {
    try changeset.forEachRow { row in
      switch row.table {
      case MIDINote.table: notes.add(row)
      case RegionEvent.table: events.add(row)
      case Region.table: regions.insert(row.id)
      default: tables.insert(row.table)
      }
    }
  }

  func concern(_ table: String) -> Bool { tables.contains(table) }
}

extension RegionContent {
  fileprivate var order: (TickCount, Int64) { (start, id.rawValue) }
}

extension ProjectView {
  /// Updates the contents of regions after some of their rows were changed.
  /// - Parameter old: each region's rows, in order of start and then of id.
  /// - Returns: the same in the same order; `nil` if the changesets do not tell which regions are affected.
  static func updated<Content: RegionContent>(
    _ old: [RegionID: [Content]], by changes: JournaledChanges.Contents, in database: Database
  ) throws -> [RegionID: [Content]]? {
    guard !changes.rows.isEmpty else { return old }
    // The region of a deleted row is known from the entry that deleted it.
    let present = try changes.rows.sorted().flatMap { id in
      try Content.fetch("WHERE id = ?", [id], in: database)
    }
    let found = Dictionary(grouping: present, by: \.region)
    var result = old
    for region in Set(found.keys).union(changes.regions.map(RegionID.init(rawValue:))) {
      let rows = merged(old[region] ?? [], without: changes.rows, with: found[region] ?? [])
      result[region] = rows.isEmpty ? nil : rows
    }
    return result
  }

  private static func merged<Content: RegionContent>(
    _ old: [Content], without touched: Set<Int64>, with new: [Content]
  ) -> [Content] {
    guard let least = touched.min(), let greatest = touched.max() else { return old }
    var new = new.sorted { $0.order < $1.order }[...]
    var rows: [Content] = []
    rows.reserveCapacity(old.count + new.count)
    for row in old {
      let id = row.id.rawValue
      if id >= least, id <= greatest, touched.contains(id) { continue }
      while let next = new.first, next.order < row.order { rows.append(new.removeFirst()) }
      rows.append(row)
    }
    return rows + new
  }
}
