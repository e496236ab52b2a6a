import DAWErrors
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// Makes a project folder with its master track.
  ///
  /// It is made beside its place and renamed, so that nobody ever sees half a project.
  /// - Parameters:
  ///   - folder: nothing may be there.
  ///   - fill: makes the first edits, before anybody can see the project.
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

  /// What a version control system need not keep.
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
