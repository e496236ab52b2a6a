import DAWModel
import GRDB

extension ProjectStore {
  /// The audio files of regions that undo or redo can bring back.
  /// - Parameter since: of the entries from then on, as if older ones had been pruned; `nil`: of all.
  public func audioFilesInHistory(since: Timestamp? = nil) throws -> Set<AudioFileID> {
    try reading { database in
      let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('region') ORDER BY cid")
      guard let column = columns.firstIndex(of: "audioFile") else { return [] }
      let journal = Journal(database: database)
      var files: Set<AudioFileID> = []
      // What the oldest entries made is undone by none: it is there, or a later entry removed it.
      for entry in try journal.entries() where ![.create, .base].contains(entry.kind) {
        if let since, entry.date < since { continue }
        try journal.changeset(ofRevision: entry.revision).bytes.withUnsafeBytes { bytes in
          var reader = ChangesetReader(bytes: bytes)
          while let row = try reader.nextValues(ofTables: { $0 == "region" }) {
            for values in [row.old, row.new] where values.indices.contains(column) {
              if case .integer(let id) = values[column] { files.insert(AudioFileID(rawValue: id)) }
            }
          }
        }
      }
      return files
    }
  }

  /// Prunes the history that is older than a time, whatever its limits are: in slices, each a transaction whose changesets
  /// were joined before it began, so that other processes wait for none of them long.
  public func pruneHistory(before time: Timestamp) throws {
    var disturbances = 0
    while disturbances < Self.greatestDisturbances {
      let slice = try reading { database in
        let journal = Journal(database: database)
        return try journal.slice(before: time).map { ($0, try $0.folds.map(journal.folded)) }
      }
      guard let (pruning, changesets) = slice else { return }
      let isDone = try write { database in
        try requireSchema(database)
        let journal = Journal(database: database)
        // Another process may have undone or pruned something meanwhile.
        guard try journal.slice(before: time) == pruning else { return (.rollback, false) }
        try journal.carryOut(pruning, changesets)
        return (.commit, true)
      }
      if !isDone { disturbances += 1 }
    }
  }

  /// After as many slices that other processes came before, the rest is left to the next call.
  private static let greatestDisturbances = 100
}
