import DAWModel
import GRDB
import Synchronization

/// The audio files by the folders of recordings that they lie in, kept from one transaction to the next while the
/// project is as it was: a command may ask for each of thousands of recordings, and to resolve a path takes system
/// calls.
package final class KeptMedia: Sendable {
  /// Identifies a state of the project.
  private struct Mark: Equatable {
    /// SQLite's counter of other connections' commits.
    var dataVersion: Int64
    var revision: Int64
    var externalWrites: Int64

    init(_ database: Database) throws {
      dataVersion = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version")) ?? 0
      let state = try Journal(database: database).state()
      revision = state.revision
      externalWrites = state.externalWrites
    }
  }

  private struct Kept {
    var mark: Mark
    var byFolder: [String: [AudioFileID]]
  }

  private let kept = Mutex<Kept?>(nil)

  /// The audio files in a folder, in order of id. Not for an edit that has changed audio files.
  /// - Parameter folders: the names of the folders that a file lies in.
  package func files(
    in folder: String, _ view: ProjectView, folders: (MediaLocation) -> Set<String>
  ) throws -> [AudioFile] {
    let mark = try Mark(view.database)
    let known: Kept? = kept.withLock { $0 }
    if let known, known.mark == mark { return try Self.rows(known.byFolder[folder] ?? [], view) }
    var byFolder: [String: [AudioFileID]] = [:]
    for file in try view.audioFiles() {
      for name in folders(file.location) { byFolder[name, default: []].append(file.id) }
    }
    let made = Kept(mark: mark, byFolder: byFolder)
    kept.withLock { $0 = made }
    return try Self.rows(made.byFolder[folder] ?? [], view)
  }

  /// Those of them that are still there.
  private static func rows(_ ids: [AudioFileID], _ view: ProjectView) throws -> [AudioFile] {
    try ids.compactMap { try view.audioFile($0) }
  }

  /// Keeps the list after an edit that only removed rows; `rows` leaves out those that are gone.
  /// - Parameter revision: the edit's.
  package func keepAfterRemoval(revision: Int64) {
    kept.withLock { kept in
      guard kept?.mark.revision == revision - 1 else { return }
      kept?.mark.revision = revision
      kept?.mark.externalWrites = 0
    }
  }
}
