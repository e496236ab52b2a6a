import DAWModel
import DAWTime
import GRDB

/// Which rows some entries of the journal have touched.
struct JournaledChanges {
  private(set) var tables: Set<String> = []
  private(set) var regions: Set<Int64> = []
  private(set) var notes = Contents()
  private(set) var events = Contents()

  /// Touched rows of a table that regions hold.
  struct Contents {
    var rows: Set<Int64> = []
    /// Whose rows they are or were, as far as the changesets say.
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
      case "region": regions.insert(row.id)
      default: tables.insert(row.table)
      }
    }
  }

  func concern(_ table: String) -> Bool { tables.contains(table) }
}

/// What regions hold by the million.
protocol RegionContent {
  static var table: String { get }
  static var columns: String { get }
  var rowID: Int64 { get }
  var region: RegionID { get }
  var start: TickCount { get }
  static func fetch(_ sql: String, arguments: StatementArguments, in database: Database) throws -> [Self]
}

extension RegionContent {
  fileprivate var order: (TickCount, Int64) { (start, rowID) }
}

extension MIDINote: RegionContent {
  var rowID: Int64 { id.rawValue }
}

extension RegionEvent: RegionContent {
  var rowID: Int64 { id.rawValue }
}

extension ProjectView {
  /// The contents of regions after some of their rows were touched.
  /// - Parameter old: each region's rows in order of start and then of id.
  /// - Returns: the same in the same order; `nil` where what was touched does not say which regions it concerns.
  static func updated<Content: RegionContent>(
    _ old: [RegionID: [Content]], by changes: JournaledChanges.Contents, in database: Database
  ) throws -> [RegionID: [Content]]? {
    guard !changes.rows.isEmpty else { return old }
    // A row that is gone was removed by an entry that says its region.
    let present = try changes.rows.sorted().flatMap { id in
      try Content.fetch(
        "SELECT \(Content.columns) FROM \(Content.table) WHERE id = ?", arguments: [id], in: database)
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
      let id = row.rowID
      if id >= least, id <= greatest, touched.contains(id) { continue }
      while let next = new.first, next.order < row.order { rows.append(new.removeFirst()) }
      rows.append(row)
    }
    return rows + new
  }
}
