import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// Copies the whole project, but for the recordings in the trash; other processes may edit it meanwhile.
  /// - Parameters:
  ///   - keepsID: whether the copy keeps the project's id; otherwise it gets a new one.
  ///   - isInterrupted: called before each piece of a file, and before the copy gets its name.
  /// - Throws: `Failure`; nothing is left behind.
  public func copy(
    to destination: ProjectFolder, keepsID: Bool, origin: EditOrigin, isInterrupted: () -> Bool = { false }
  ) throws -> Session {
    try failing {
      let draft = try ProjectDraft(of: destination, like: folder)
      do {
        try store.vacuum(into: draft.folder.database)
        // The database first: the media that it names are in `Audio/` already, and are never changed.
        try copyAudio(to: draft.folder, isInterrupted)
        try copyTrashedMeanwhile(to: draft.folder, isInterrupted)
        try Self.forgetTrashed(in: draft.folder)
        let store = try ProjectStore.open(at: draft.folder.database)
        defer { try? store.close() }
        if !keepsID { try store.setID(.random()) }
        try store.beginLog()
        try store.close()
        try draft.putInPlace(isInterrupted)
      } catch {
        draft.discard()
        throw error
      }
      return try Self.afterMaking(destination) { try Self.open(destination) }
    }
  }

  /// Removes from a copy what is known about the recordings in the trash: it has none of their files.
  private static func forgetTrashed(in draft: ProjectFolder) throws {
    let session = try open(draft)
    defer { session.close() }
    // One of an older version is not edited before it is migrated.
    guard case .readWrite = session.store.access else { return }
    let entries = try session.read { try $0.recordingEntries(RecordingFilter(isTrashed: true, limit: .max)).entries }
    for entry in entries where (try? session.place(of: entry)) != nil {
      // One that cannot be forgotten, as one that another daw was about to move, keeps no project from being copied.
      _ = try? session.forgetRecording(entry.recording.id, includesUsed: true)
    }
  }

  /// Copies the recordings that another process has moved to the trash since the database was copied, or was about to:
  /// what the copy knows about them is from before that.
  private func copyTrashedMeanwhile(to draft: ProjectFolder, _ isInterrupted: () -> Bool) throws {
    guard let names = try? namesInTrash(), !names.isEmpty else { return }
    let copy = try Self.open(draft)
    defer { copy.close() }
    let recordings = try copy.read { view in
      try view.recordings.recordingIDs().filter { names.contains($0.uuidString) }.compactMap { id in
        try view.recordings.recording(id)
      }
    }
    for recording in recordings where recording.trashedAt == nil {
      guard let name = recording.folderName else { continue }
      let target = draft.place("Audio", "Recordings", name)
      // It may have come back meanwhile, or be forgotten by now.
      guard try !Self.exists(target), let source = try? trash.appending(recording.id.uuidString).open() else {
        continue
      }
      try copyFiles(of: source, named: name, to: target, isInterrupted)
    }
  }

  /// Copies `Audio/`. Media that are reached through links there become regular files, so that the copy contains no
  /// links.
  func copyAudio(to draft: ProjectFolder, _ isInterrupted: () -> Bool) throws {
    let target = draft.place("Audio")
    let audio: Folder?
    do throws(SystemCallFailure) {
      audio = try folder.place("Audio").open()
    } catch {
      // If `Audio` is a link, its media are copied one by one below.
      guard [ENOENT, ELOOP].contains(error.code) else { throw Self.notCopied("Audio", error) }
      audio = nil
    }
    if let audio { try copyFiles(of: audio, named: "Audio", to: target, isInterrupted) }
    let media = try store.read { try $0.audioFiles().map(\.location) + $0.soundFonts().map(\.location) }
    for medium in media where !medium.isLinked {
      let names = medium.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard names.count > 1, names[0] == "Audio", !names.contains(where: { ["", ".", ".."].contains($0) }),
        access(draft.absolute(medium.path), F_OK) != 0, access(folder.absolute(medium.path), F_OK) == 0
      else { continue }
      try copying(medium.path, isInterrupted) {
        let copy = Place(root: draft.path, names)
        _ = try copy.parent.make()
        let digest = try copyAndHash(from: folder.absolute(medium.path), to: copy) { _, _ in !isInterrupted() }
        // A file behind a link is copied only if it is what the project recorded.
        if digest.sha256 != medium.sha256 { return copy.removeAll() }
        let source = Path.folder(of: folder.absolute(medium.path))
        for segment in try TakeManifest.files(of: folder.absolute(medium.path)) where segment.hasPrefix(source + "/") {
          let place = copy.parent.appending((segment as NSString).lastPathComponent)
          guard access(place.path, F_OK) != 0 else { continue }
          _ = try copyAndHash(from: segment, to: place) { _, _ in !isInterrupted() }
        }
      }
    }
  }

  /// Copies the recordings in the trash.
  func copyTrash(to draft: ProjectFolder, _ isInterrupted: () -> Bool) throws {
    guard let trash = try? trash.open() else { return }
    try copyFiles(of: trash, named: "Audio/.trash", to: draft.place("Audio", ".trash"), isInterrupted)
  }

  private func copyFiles(
    of source: Folder, named name: String, to target: Place, _ isInterrupted: () -> Bool
  ) throws {
    let copy: Folder
    do {
      // Those of recordings are their user's alone, also where an earlier version has left their names open.
      let isPrivate = [["Audio", "Recordings"], ["Audio", ".trash"]].contains(target.names)
      let mode = Folder.mode(0o777, noWiderThan: source.status(of: ".")?.st_mode ?? 0o777)
      copy = isPrivate ? try target.makePrivate() : try target.make(mode: mode)
    } catch {
      throw Self.notCopied(name, error)
    }
    var known: Set<String> = []
    var isWhole = false
    while !isWhole {
      isWhole = true
      let names: [String]
      do { names = try source.readNames() } catch { throw Self.notCopied(name, error) }
      for name in names where !name.hasPrefix(".") && known.insert(name).inserted {
        // In its place there may be another one by now: 'daw retain' compresses what was recorded.
        if try !copyEntry(name, of: source, to: copy, target, isInterrupted) { isWhole = false }
      }
    }
  }

  /// Copies a file, or a folder with all in it.
  /// - Returns: false where another process has removed it meanwhile.
  private func copyEntry(
    _ name: String, of source: Folder, to copy: Folder, _ target: Place, _ isInterrupted: () -> Bool
  ) throws -> Bool {
    let found: stat?
    do { found = try source.existingStatus(of: name) } catch { throw Self.notCopied(name, error) }
    guard let status = found else { return false }
    if status.isFolder {
      let inner: Folder
      do throws(SystemCallFailure) {
        inner = try source.folder(name)
      } catch {
        if error.code == ENOENT { return false }
        throw Self.notCopied(name, error)
      }
      try copyFiles(of: inner, named: name, to: target.appending(name), isInterrupted)
    }
    guard status.isFile else { return true }
    var isThere = true
    try copying(name, isInterrupted) {
      do throws(SystemCallFailure) {
        try source.copy(name, to: copy, as: name, isInterrupted: isInterrupted)
      } catch {
        guard error.code == ENOENT, source.status(of: name) == nil else { throw error }
        isThere = false
      }
    }
    return isThere
  }

  private func copying(_ name: String, _ isInterrupted: () -> Bool, _ body: () throws -> Void) throws {
    if isInterrupted() { throw ProjectDraft.interrupted }
    do { try body() } catch {
      let isEnded = (error as? MediaWorkError) == .cancelled || (error as? SystemCallFailure)?.code == ECANCELED
      throw isEnded ? ProjectDraft.interrupted : Self.notCopied(name, error)
    }
  }

  private static func notCopied(_ name: String, _ error: any Error) -> Failure {
    let reason = (error as? SystemCallFailure).map { String(cString: strerror($0.code)) } ?? "\(error)"
    return Failure(.io, code: "io", "'\(name)' could not be copied: \(reason). Nothing was made.")
  }

  /// Copies the project file into `Backups/`; other processes may edit it meanwhile. Media never change and are not
  /// copied.
  /// - Returns: the backup's path.
  public func backUp() throws -> String {
    try failing {
      try withBackups { path in
        try store.vacuum(into: path)
        return path
      }
    }
  }

  /// Migrates the project file to the newest schema, after a backup.
  /// - Returns: the version before and after.
  public func upgrade() throws -> (from: Int, to: Int) {
    try failing { try withBackups { (try store.upgrade(backup: $0), ProjectStore.schemaVersion) } }
  }

  /// Calls `body` with the path of a new backup, and keeps `daw clean` from removing it meanwhile.
  private func withBackups<T>(_ body: (_ path: String) throws -> T) throws -> T {
    let backups = try folder.openBackups()
    let use = FolderUse(sharing: folder.place("Backups"))
    defer { use.end() }
    return try body(backups.path + "/" + Self.backupName())
  }

  /// Contains the time and a random suffix, so that simultaneous backups have different names.
  static func backupName(_ beginning: String = "project") -> String {
    let time = Timestamp.now().iso8601.prefix(19).replacingOccurrences(of: ":", with: "")
    return "\(beginning)-\(time)-\(UUID().uuidString.prefix(6).lowercased()).sqlite"
  }
}

extension ProjectFolder {
  /// Opens `Backups/`, which must not be a link since SQLite writes the backup by path.
  func openBackups() throws -> Folder {
    try openToWrite(place("Backups"), state: "Nothing was changed.", orElse: "copy the project with 'daw copy'")
  }
}
