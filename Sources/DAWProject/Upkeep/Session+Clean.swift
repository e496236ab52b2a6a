import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// What `daw clean` has removed, or would remove.
public struct CleanResult: Equatable, Sendable {
  /// Relative to the project's folder.
  public var removed: [String] = []
  public var byteCount: Int64 = 0
  /// Links, entries that daw did not make, and folders that cannot be read, in the cleaned folders: relative to the
  /// project's folder. They are kept.
  public var left: [String] = []
}

extension Session {
  /// Removes media that neither the project nor its history uses, and incomplete copies of killed imports and backups.
  ///
  /// Links and their targets are kept. So are the ledger and the events of a recording of which anything is used, and
  /// all of a recording that is not finished, not in the project yet, or cancelled and brought back from the trash. The
  /// rows of segments whose files were removed are marked as missing.
  /// - Parameters:
  ///   - includesCache: also removes the cache. If the disk is full it is removed first, to make room.
  ///   - isTrial: only reports what would be removed.
  public func clean(includesCache: Bool, isTrial: Bool) throws -> CleanResult {
    try failing {
      guard case .readOnly(let reason) = store.access else {
        return try cleanWritable(includesCache: includesCache, isTrial: isTrial)
      }
      var failure = Failure(StoreError.readOnly(path: folder.path, reason: reason))
      guard store.lacksRoom else { throw failure }
      failure.hint = "'daw clean --cache' can make room there: it begins with what is made again when it is needed."
      guard includesCache, !isTrial else { throw failure }
      var cleaning = Cleaning(isTrial: false)
      if let use = try exclusiveCacheUse() {
        defer { use.end() }
        try cleaning.removeCache(folder.place("Cache"))
      }
      let session = try Session.open(folder)
      defer { session.close() }
      guard case .readWrite = session.store.access else {
        failure.hint = "Nothing in the project's cache makes enough room for it."
        throw failure
      }
      let rest = try session.cleanWritable(includesCache: false, isTrial: false)
      cleaning.result.removed += rest.removed
      cleaning.result.byteCount += rest.byteCount
      cleaning.result.left += rest.left
      return cleaning.result
    }
  }

  private func cleanWritable(includesCache: Bool, isTrial: Bool) throws -> CleanResult {
    let cacheUse = includesCache ? try exclusiveCacheUse() : nil
    defer { cacheUse?.end() }
    var cleaning = Cleaning(isTrial: isTrial)
    // While the write lock is held, no edit can name a new medium.
    try store.holdingWriteLock { view in
      try removeUnusedMedia(&cleaning, view)
      // During an import, its copies cannot be distinguished from those of a killed one.
      let incoming = folder.place("Audio", ".incoming")
      if let use = FolderUse.exclusive(incoming) {
        defer { use.end() }
        try cleaning.removeContents(of: incoming)
      }
      let backups = folder.place("Backups")
      if let use = FolderUse.exclusive(backups) {
        defer { use.end() }
        try cleaning.removeFiles(in: backups, where: ProjectStore.isPartialCopy)
      }
    }
    if cacheUse != nil { try cleaning.removeCache(folder.place("Cache")) }
    if includesCache { cleaning.noteLink(folder.place("Cache")) }
    if !isTrial { try markAsMissing(cleaning.result.removed) }
    return cleaning.result
  }

  private func removeUnusedMedia(_ cleaning: inout Cleaning, _ view: ProjectView) throws {
    let used = try usedPaths()
    (cleaning.completedRecordings, cleaning.unusedRecordings, cleaning.restoredRecordings) = try completedRecordings(
      used, view)
    cleaning.knownRecordings = Set(try view.recordings.recordingIDs().map(\.rawValue))
    cleaning.project = try view.header().id.uuidString
    cleaning.segments = { try view.recordings.segments(of: $0) }
    cleaning.namedMedia = { try self.withoutLinks(self.store.mediaPathsInHistory()) }
    try cleaning.removeUnused(in: folder.place("Audio"), used: used)
  }

  /// The recordings that are complete in the project.
  /// - Returns: the ids of all; the folders of those of which neither the project nor its history has a take or names a
  ///   file (`unused`); and the folders that must stay whole (`restored`): of recordings whose passes were all cancelled
  ///   and that the user has brought back from the trash, of those in the trash whose files are back since a
  ///   'restore-recording' was interrupted, and those that cannot be read.
  private func completedRecordings(
    _ usedPaths: Set<String>, _ view: ProjectView
  ) throws -> (all: Set<Int64>, unused: Set<String>, restored: Set<String>) {
    let usedPasses = try view.passesInUse()
    let usedFolders = Set(usedPaths.map(Path.folder)).union(usedPaths)
    let foldersWithTakes = Set(usedPaths.filter(TakeManifest.isNamed).map(Path.folder))
    var (all, unused, restored): (Set<Int64>, Set<String>, Set<String>) = ([], [], [])
    for id in try view.recordings.recordingIDs() {
      guard let recording = try view.recordings.recording(id), recording.isCompleted else { continue }
      all.insert(id.rawValue)
      // The passes of one that has a take in use need not be read.
      guard !foldersWithTakes.contains(recording.folder),
        try view.recordings.passes(of: [id]).allSatisfy({ !usedPasses.contains($0.id) })
      else { continue }
      guard !isUnreadable(recording) else {
        // It may be one that came back.
        restored.insert(recording.folder)
        continue
      }
      let description = description(of: recording)
      if recording.trashedAt != nil {
        // Otherwise the folder is another recording's, or there is none.
        if description != nil { restored.insert(recording.folder) }
      } else if let passes = description?.passes, !passes.isEmpty, passes.allSatisfy(\.isCancelled) {
        restored.insert(recording.folder)
      } else if !usedFolders.contains(recording.folder) {
        unused.insert(recording.folder)
      }
    }
    return (all, unused, restored)
  }

  /// Whether its folder is there, and cannot be opened or listed now.
  private func isUnreadable(_ recording: Recording) -> Bool {
    guard let name = recording.folderName else { return false }
    do throws(SystemCallFailure) {
      _ = try RecordingFolder(opening: recordings.appending(name)).names()
      return false
    } catch {
      return !Cleaning.isNoFolder(error)
    }
  }

  /// What the ledger in its folder says; `nil` where that is another recording's, or cannot be read.
  private func description(of recording: Recording) -> RecordingDescription? {
    guard let name = recording.folderName,
      let description = try? RecordingFolder(opening: recordings.appending(name)).describe(),
      description.header.recording == recording.id.rawValue
    else { return nil }
    return description
  }

  private func markAsMissing(_ removed: [String]) throws {
    let removed = Set(removed.filter { $0.hasPrefix("Audio/Recordings/") })
    guard !removed.isEmpty else { return }
    for mark in try segmentsToMark() where mark.state == .missing {
      let gone = mark.segments.filter { removed.contains($0.path) }
      if !gone.isEmpty { try store.recordings.set(.missing, ofSegments: gone.map(\.index), of: mark.pass) }
    }
  }

  /// The files in `Audio/` that neither the project nor its history uses.
  func unusedMedia() throws -> CleanResult {
    var cleaning = Cleaning(isTrial: true)
    try read { try removeUnusedMedia(&cleaning, $0) }
    return cleaning.result
  }

  /// The media that the project or its history names, and the segments of takes, as paths relative to the project's
  /// folder.
  private func usedPaths() throws -> Set<String> {
    var named = try store.mediaPathsInHistory()
    for path in named where TakeManifest.isNamed(path) { named.formUnion(segmentPaths(ofTake: path)) }
    return withoutLinks(named)
  }

  /// The paths, and those in the project's folder that they lead to.
  private func withoutLinks(_ paths: Set<String>) -> Set<String> {
    let root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path + "/"
    let resolved = paths.map { URL(fileURLWithPath: folder.absolute($0)).resolvingSymlinksInPath().path }
    return paths.union(
      resolved.filter { $0.hasPrefix(root) }.map { String($0.dropFirst(root.count)) })
  }

  /// The paths of a take's segments, recorded or compressed, relative to what `path` is relative to. If the manifest
  /// cannot be read: the path of its folder, which is then kept as it is.
  private func segmentPaths(ofTake path: String) -> [String] {
    let parent = Path.folder(of: path)
    guard let take = try? TakeManifest.read(path: folder.absolute(path)) else {
      return parent == "Audio" ? [] : [parent]
    }
    return take.segments.flatMap { segment in
      segment.isSpilled
        ? [segment.name]
        : ([segment.name] + CompressedSegment.names(for: segment.name)).map { parent == "." ? $0 : parent + "/" + $0 }
    }
  }

  /// - Returns: `nil` if there is no cache, or it is a link.
  /// - Throws: `Failure` if another process uses it.
  private func exclusiveCacheUse() throws -> FolderUse? {
    let cache = folder.place("Cache")
    guard (try? cache.open()) != nil else { return nil }
    if let use = FolderUse.exclusive(cache) { return use }
    throw Failure(
      .tryAgain, code: "cacheInUse",
      "A bounce or a player works with the cache of '\(folder.path)'. Nothing was removed.",
      hint: "Run 'daw clean --cache' again when that has ended, or leave out --cache.")
  }
}
