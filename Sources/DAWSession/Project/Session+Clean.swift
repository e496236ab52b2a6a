import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// What `daw clean` removes, or would.
public struct CleanResult: Equatable, Sendable {
  /// Relative to the project's folder.
  public var removed: [String] = []
  public var byteCount: Int64 = 0
}

extension Session {
  /// Removes media that neither the project nor its history uses, and copies that a killed import or backup has left.
  /// - Parameters:
  ///   - includesCache: also what is made again when it is needed. Where the disk is full it goes first, for the room.
  ///   - isTrial: only says what would go.
  public func clean(includesCache: Bool, isTrial: Bool) throws -> CleanResult {
    try failing {
      guard case .readOnly(let reason) = store.access else {
        return try cleanWritable(includesCache: includesCache, isTrial: isTrial)
      }
      var failure = Failure(StoreError.readOnly(path: folder.path, reason: reason))
      guard store.lacksRoom else { throw failure }
      failure.hint = "'daw clean --cache' can make room there: it begins with what is made again when it is needed."
      guard includesCache, !isTrial else { throw failure }
      var result = CleanResult()
      try removeCache(isTrial: false, &result)
      let session = try Session.open(folder)
      defer { session.close() }
      guard case .readWrite = session.store.access else {
        failure.hint = "Nothing in the project's cache makes enough room for it."
        throw failure
      }
      let rest = try session.cleanWritable(includesCache: false, isTrial: false)
      return CleanResult(removed: result.removed + rest.removed, byteCount: result.byteCount + rest.byteCount)
    }
  }

  private func cleanWritable(includesCache: Bool, isTrial: Bool) throws -> CleanResult {
    let cacheUse = includesCache ? try exclusiveCacheUse() : nil
    defer { cacheUse?.end() }
    var result = CleanResult()
    // No edit can name a new medium while the lock is held.
    try store.holdingWriteLock {
      try removeUnused(below: "Audio", used: try usedPaths(), isTrial, &result)
      // While an import is at work, nobody can tell its copies from those that a killed one has left.
      if let use = FolderUse.exclusive(folder.incoming) {
        defer { use.end() }
        try removeAll(below: "Audio/.incoming", isTrial, &result)
      }
      if let use = FolderUse.exclusive(folder.backups) {
        defer { use.end() }
        try removeAll(below: "Backups", isTrial, &result) { ProjectStore.isPartialCopy($0) }
      }
    }
    if cacheUse != nil { try removeAll(below: "Cache", isTrial, &result) }
    return result
  }

  private func removeCache(isTrial: Bool, _ result: inout CleanResult) throws {
    guard let use = try exclusiveCacheUse() else { return }
    defer { use.end() }
    try removeAll(below: "Cache", isTrial, &result)
  }

  /// A folder that holds something that is used is looked into; one that does not goes as a whole.
  private func removeUnused(below path: String, used: Set<String>, _ isTrial: Bool, _ result: inout CleanResult) throws
  {
    for name in names(in: folder.path + "/" + path) where !name.hasPrefix(".") {
      let path = path + "/" + name
      if used.contains(path) { continue }
      if used.contains(where: { $0.hasPrefix(path + "/") }) {
        try removeUnused(below: path, used: used, isTrial, &result)
      } else {
        try remove(path, isTrial, &result)
      }
    }
  }

  /// The media that the project or its history names, as seen from its folder, by whatever way they are named.
  private func usedPaths() throws -> Set<String> {
    let root = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path + "/"
    let named = try store.mediaPathsInHistory()
    let resolved = named.map { URL(fileURLWithPath: folder.absolute($0)).resolvingSymlinksInPath().path }
    return named.union(resolved.filter { $0.hasPrefix(root) }.map { String($0.dropFirst(root.count)) })
  }

  /// - Returns: `nil` where there is no cache.
  /// - Throws: `Failure` where somebody works with it.
  private func exclusiveCacheUse() throws -> FolderUse? {
    guard access(folder.cache, F_OK) == 0 else { return nil }
    if let use = FolderUse.exclusive(folder.cache) { return use }
    throw Failure(
      .tryAgain, code: "cacheInUse",
      "A bounce or a player works with the cache of '\(folder.path)'. Nothing was removed.",
      hint: "Run 'daw clean --cache' again when that has ended, or leave out --cache.")
  }

  private func removeAll(
    below path: String, _ isTrial: Bool, _ result: inout CleanResult, where isMeant: (String) -> Bool = { _ in true }
  ) throws {
    for name in names(in: folder.path + "/" + path) where isMeant(name) {
      try remove(path + "/" + name, isTrial, &result)
    }
  }

  private func names(in path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  private func remove(_ relative: String, _ isTrial: Bool, _ result: inout CleanResult) throws {
    let path = folder.path + "/" + relative
    result.byteCount += byteCount(of: path)
    if !isTrial {
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        throw Failure(.io, code: "io", "'\(path)' could not be removed: \((error as NSError).localizedDescription)")
      }
    }
    result.removed.append(relative)
  }

  private func byteCount(of path: String) -> Int64 {
    var status = stat()
    guard lstat(path, &status) == 0 else { return 0 }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int64(status.st_size) }
    return names(in: path).reduce(0) { $0 + byteCount(of: path + "/" + $1) }
  }
}
