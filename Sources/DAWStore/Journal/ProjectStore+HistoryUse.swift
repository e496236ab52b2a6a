import DAWModel
import GRDB

extension ProjectStore {
  /// The audio files of rows that undo or redo can bring back: of regions and comments.
  /// - Parameter since: of the entries from then on, as if older ones had been pruned; `nil`: of all.
  public func audioFilesInHistory(since: Timestamp? = nil) throws -> Set<AudioFileID> {
    try reading { database in
      let references = try database.references().filter { $0.parent == AudioFile.table }
      return Set(
        try Journal(database: database).ids(in: references, since: since).map(AudioFileID.init(rawValue:)))
    }
  }

  /// Prunes the history that is older than a time, whatever its limits are: in slices, each a transaction whose
  /// changesets were joined before it began, so that other processes wait for none of them long.
  public func pruneHistory(before time: Timestamp) throws { try pruneHistory(before: time) {} }

  /// - Parameters:
  ///   - sliceIsReady: called before each slice is carried out, when no lock is held.
  ///   - sliceIsDone: called behind it, when no lock is held any more.
  func pruneHistory(
    before time: Timestamp, sliceIsReady: () throws -> Void = {}, sliceIsDone: () throws -> Void
  ) throws {
    var disturbances = 0
    while disturbances < Self.greatestDisturbances {
      let slice = try reading { database in
        let journal = Journal(database: database)
        let state = try journal.state()
        return try journal.slice(before: time).map { (state, $0, try $0.folds.map(journal.folded)) }
      }
      guard let (state, pruning, changesets) = slice else { return }
      try sliceIsReady()
      let isDone = try write { database in
        try requireSchema(database)
        let journal = Journal(database: database)
        // Another process may have written meanwhile. Each edit, undo and pruning changes the state.
        guard try journal.state() == state else { return (.rollback, false) }
        try journal.carryOut(pruning, changesets)
        return (.commit, true)
      }
      if !isDone { disturbances += 1 }
      try sliceIsDone()
    }
  }

  /// After as many slices that other processes came before, the rest is left to the next call.
  private static let greatestDisturbances = 100
}

extension ProjectView {
  /// The passes of takes that undo or redo can bring back.
  public func passesInHistory() throws -> Set<PassID> {
    // To a fact, which may be gone: the schema does not hold it.
    let reference = TableReference(table: Take.table, column: "pass", parent: RecordedPass.table)
    return Set(try Journal(database: database).ids(in: [reference]).map(PassID.init(rawValue:)))
  }
}

extension Journal {
  /// The ids that columns hold in the entries.
  /// - Parameter since: of the entries from then on; `nil`: of all.
  fileprivate func ids(in references: [TableReference], since: Timestamp? = nil) throws -> Set<Int64> {
    let places = try places(of: references)
    var ids: Set<Int64> = []
    // What the oldest entries made is undone by none: it is there, or a later entry removed it.
    for entry in try entries() where ![.create, .base].contains(entry.kind) {
      if let since, entry.date < since { continue }
      try changeset(ofRevision: entry.revision).bytes.withUnsafeBytes { bytes in
        var reader = ChangesetReader(bytes: bytes)
        while let row = try reader.nextValues(ofTables: { places[$0] != nil }) {
          for place in places[row.table] ?? [] {
            for values in [row.old, row.new] where values.indices.contains(place) {
              if case .integer(let id) = values[place] { ids.insert(id) }
            }
          }
        }
      }
    }
    return ids
  }

  /// The places of columns in the rows of changesets, by table.
  private func places(of references: [TableReference]) throws -> [String: [Int]] {
    var places: [String: [Int]] = [:]
    for reference in references {
      let names = try String.fetchAll(
        database, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid", arguments: [reference.table])
      if let place = names.firstIndex(of: reference.column) { places[reference.table, default: []].append(place) }
    }
    return places
  }
}
