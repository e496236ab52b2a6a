import DAWModel
import GRDB
import Synchronization

/// The ids of all recordings by how they end, kept from one transaction to the next: a command may ask for the shortest
/// ending of each of thousands of recordings, and to read all ids for each would take the square of their number.
final class KeptRecordingIDs: Sendable {
  private struct Kept {
    /// SQLite's counter of other connections' commits when the ids were read.
    var dataVersion: Int64
    var byEnding: [Int64: [RecordingID]]
  }

  private let kept = Mutex<Kept?>(nil)

  /// The ids that end in the same six digits as that of a recording, which is there. Some may be of recordings that
  /// were removed since.
  func ids(endingAs id: RecordingID, in rows: RecordedRows) throws -> [RecordingID] {
    let version = try Int64.fetchOne(rows.database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
    let ending = id.rawValue & ViewMemory.endingBits
    let known: Kept? = kept.withLock { $0 }
    if let known, known.dataVersion == version, let ids = known.byEnding[ending], ids.contains(id) { return ids }
    let byEnding = Dictionary(grouping: try rows.recordingIDs()) { $0.rawValue & ViewMemory.endingBits }
    kept.withLock { $0 = Kept(dataVersion: version, byEnding: byEnding) }
    return byEnding[ending] ?? []
  }

  /// Called when this connection has saved a recording, which may be a new one.
  func add(_ id: RecordingID) {
    let ending = id.rawValue & ViewMemory.endingBits
    kept.withLock { kept in
      guard var ids = kept?.byEnding[ending] else {
        kept?.byEnding[ending] = [id]
        return
      }
      if ids.contains(id) { return }
      ids.append(id)
      kept?.byEnding[ending] = ids
    }
  }
}
