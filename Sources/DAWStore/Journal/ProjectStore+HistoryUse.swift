import DAWModel
import GRDB

extension ProjectStore {
  /// The audio files of regions and comments that undo or redo can bring back.
  /// - Parameter since: of the entries from then on, as if older ones had been pruned; `nil`: of all.
  public func audioFilesInHistory(since: Timestamp? = nil) throws -> Set<AudioFileID> {
    try reading { database in
      let journal = Journal(database: database)
      let ids = try ["region", "comment"].flatMap { try journal.ids(inColumn: "audioFile", of: $0, since: since) }
      return Set(ids.map(AudioFileID.init(rawValue:)))
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
    Set(try Journal(database: database).ids(inColumn: "pass", of: "take").map(PassID.init(rawValue:)))
  }
}

extension Journal {
  /// What a column of a table holds in the entries.
  /// - Parameter since: of the entries from then on; `nil`: of all.
  fileprivate func ids(inColumn name: String, of table: String, since: Timestamp? = nil) throws -> Set<Int64> {
    let columns = try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
    guard let column = columns.firstIndex(of: name) else { return [] }
    var ids: Set<Int64> = []
    // What the oldest entries made is undone by none: it is there, or a later entry removed it.
    for entry in try entries() where ![.create, .base].contains(entry.kind) {
      if let since, entry.date < since { continue }
      try changeset(ofRevision: entry.revision).bytes.withUnsafeBytes { bytes in
        var reader = ChangesetReader(bytes: bytes)
        while let row = try reader.nextValues(ofTables: { $0 == table }) {
          for values in [row.old, row.new] where values.indices.contains(column) {
            if case .integer(let id) = values[column] { ids.insert(id) }
          }
        }
      }
    }
    return ids
  }
}
