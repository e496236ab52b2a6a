import DAWErrors
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// Creates a project folder with a master track.
  ///
  /// It is created under another name and renamed, so that no other process sees an incomplete project.
  /// - Parameters:
  ///   - folder: must not exist.
  ///   - fill: makes the first edits, before the project is visible.
  /// - Throws: `Failure`; nothing is left behind.
  public static func create(
    _ folder: ProjectFolder, id: ProjectID = .random(), master: TrackID? = nil, createdDate: Timestamp? = nil,
    settings: ProjectSettings, origin: EditOrigin, fill: ((Session) throws -> Void)? = nil
  ) throws -> Session {
    try failing {
      let draft = try ProjectDraft(of: folder)
      do {
        let session = Session(
          folder: draft.folder,
          store: try ProjectStore.create(
            at: draft.folder.database, id: id, master: master, createdDate: createdDate, settings: settings,
            origin: origin))
        try fill?(session)
        session.close()
        try draft.putInPlace()
      } catch {
        draft.discard()
        throw error
      }
      return try afterMaking(folder) { try open(folder) }
    }
  }

  /// The contents of the project's `.gitignore`.
  static let ignored = """
    # Made again when needed.
    Cache/
    Bounces/
    Backups/
    Audio/.incoming/
    # Of a project that is open.
    project.sqlite-wal
    project.sqlite-shm
    project.sqlite-journal

    """
}
