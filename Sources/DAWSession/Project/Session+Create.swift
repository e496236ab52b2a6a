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
      try requireNothing(at: folder)
      let parent = (folder.path as NSString).deletingLastPathComponent
      let draft = ProjectFolder(
        path: parent + "/.\((folder.path as NSString).lastPathComponent).new-\(UUID().uuidString.prefix(8))")
      do {
        try makeFolders(draft, for: folder)
        let session = Session(
          folder: draft,
          store: try ProjectStore.create(
            at: draft.database, id: id, master: master, createdDate: createdDate, settings: settings, origin: origin))
        try fill?(session)
        session.close()
        try putInPlace(draft, as: folder)
      } catch {
        try? FileManager.default.removeItem(atPath: draft.path)
        throw error
      }
      return try open(folder)
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

  static func requireNothing(at folder: ProjectFolder) throws {
    var status = stat()
    guard lstat(folder.path, &status) != 0 else {
      throw Failure(
        .cannotCreate, code: "exists", "'\(folder.path)' exists already. It was not touched.",
        hint: "Choose another name, or remove it first.")
    }
    let parent = (folder.path as NSString).deletingLastPathComponent
    guard access(parent, F_OK) == 0 else {
      throw Failure(
        .cannotCreate, code: "folderNotFound", "There is no folder '\(parent)' to make the project in.",
        hint: "Make it first: mkdir -p '\(parent)'")
    }
  }

  /// - Parameter folder: what the draft is to become.
  static func makeFolders(_ draft: ProjectFolder, for folder: ProjectFolder) throws {
    do {
      for path in [draft.path, draft.audio, draft.cache, draft.bounces, draft.backups] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
      try Data(ignored.utf8).write(to: URL(fileURLWithPath: draft.gitignore))
    } catch {
      throw Failure(
        .cannotCreate, code: "cannotCreate",
        "'\(folder.path)' could not be made: \((error as NSError).localizedDescription)",
        hint: "Check the folder's permissions and the free space.")
    }
  }

  /// Renames a finished folder to its final name, unless somebody took that meanwhile.
  static func putInPlace(_ draft: ProjectFolder, as folder: ProjectFolder) throws {
    guard rename(draft.path, folder.path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Failure(.cannotCreate, code: "cannotCreate", "'\(folder.path)' could not be made: \(reason).")
    }
  }
}
