import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// Makes a whole copy of the project, even while others edit it.
  /// - Parameters:
  ///   - keepsID: whether it stands for the same project; else it is a project of its own.
  ///   - isInterrupted: asked before each file.
  /// - Throws: `Failure`; nothing is left behind.
  public func copy(
    to destination: ProjectFolder, keepsID: Bool, origin: EditOrigin, isInterrupted: () -> Bool = { false }
  ) throws -> Session {
    try failing {
      let draft = try ProjectDraft(of: destination)
      do {
        try store.vacuum(into: draft.folder.database)
        // The database first: what it names is in `Audio/` already, and nothing there is ever changed.
        try copyAudio(to: draft.folder, isInterrupted)
        if !keepsID {
          let store = try ProjectStore.open(at: draft.folder.database)
          try store.setID(.random())
          try store.close()
        }
        try draft.putInPlace()
      } catch {
        draft.discard()
        throw error
      }
      return try Self.open(destination)
    }
  }

  private func copyAudio(to draft: ProjectFolder, _ isInterrupted: () -> Bool) throws {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.audio)) ?? []
    for name in names where !name.hasPrefix(".") {
      if isInterrupted() { throw Failure(.interrupted, code: "interrupted", "Interrupted. Nothing was made.") }
      do {
        try FileManager.default.copyItem(atPath: folder.audio + "/" + name, toPath: draft.audio + "/" + name)
      } catch {
        throw Failure(
          .io, code: "io", "'\(name)' could not be copied: \((error as NSError).localizedDescription) Nothing was made."
        )
      }
    }
  }

  /// Copies the project file into `Backups/`, even while others edit it. Media are never changed, so they need no copy.
  /// - Returns: the backup's path.
  public func backUp() throws -> String {
    try failing {
      try FileManager.default.createDirectory(atPath: folder.backups, withIntermediateDirectories: true)
      let use = FolderUse(sharing: folder.backups)
      defer { use.end() }
      let path = folder.backups + "/" + Self.backupName()
      try store.vacuum(into: path)
      return path
    }
  }

  /// Brings the project file to the newest schema, after a backup.
  /// - Returns: the version that it had, and the one that it has.
  public func upgrade() throws -> (from: Int, to: Int) {
    try failing {
      try FileManager.default.createDirectory(atPath: folder.backups, withIntermediateDirectories: true)
      let use = FolderUse(sharing: folder.backups)
      defer { use.end() }
      return (try store.upgrade(backup: folder.backups + "/" + Self.backupName()), ProjectStore.schemaVersion)
    }
  }

  /// With the time and a random ending, so that two made at once do not meet.
  private static func backupName() -> String {
    let time = Timestamp.now().iso8601.prefix(19).replacingOccurrences(of: ":", with: "")
    return "project-\(time)-\(UUID().uuidString.prefix(6).lowercased()).sqlite"
  }
}
