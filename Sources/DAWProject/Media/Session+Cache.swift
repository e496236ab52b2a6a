import DAWErrors
import DAWMedia
import DAWModel
import Foundation

extension ProjectFolder {
  /// The cache folder: the project's, or the user's if the project's cannot be written or is a link; where neither can
  /// be written, one of this process alone.
  package var cacheFolder: Place {
    let shared = sharedCacheFolder
    if let folder = try? shared.open(), folder.isWritable { return shared }
    return TemporaryCache.place ?? shared
  }

  /// The project's cache folder or the user's, where other processes look too. It may be missing.
  package var sharedCacheFolder: Place {
    let own = place("Cache")
    if let folder = try? own.make(), folder.isWritable { return own }
    let users = Place(root: UserFolders.cache())
    try? users.makeRoot()
    return users
  }
}

extension Session {
  /// See `ProjectFolder.cacheFolder`.
  package var cacheFolder: Place { folder.cacheFolder }

  /// For work that needs room on disk.
  /// - Throws: `Failure` if nothing can be written in the cache folder.
  package func requireCacheFolder() throws {
    if let cache = try? cacheFolder.open(), cache.isWritable { return }
    throw Failure(
      .cannotCreate, code: "cannotCreate",
      "There is no folder for copies and temporary files: the project's 'Cache', '\(UserFolders.cache())' and '/tmp' "
        + "cannot be written.",
      hint: "Set XDG_CACHE_HOME or TMPDIR to a folder that can be.")
  }

  /// The path of a temporary file or folder, which a process keeps only while it uses the cache.
  package func newScratchPlace() -> Place { cacheFolder.appending(CacheFolder.scratchPrefix + UUID().uuidString) }
}

extension Session {
  /// The peaks of an audio file, in levels from 256 frames per point; computed now if they are not in the cache.
  /// - Throws: `Failure`.
  public func peaks(of file: AudioFile) throws -> PeakFile {
    try failing {
      guard let path = folder.find(file.location) else {
        throw Failure(.noInput, code: "missing", file.missingSentence)
      }
      return try PeakCache(cacheFolder)
        .peaks(of: path, facts: try AudioFileFacts.read(path: path), sha256: file.location.sha256)
    }
  }

  /// Computes the peaks of new files in advance, for other programs that display them.
  func drawPeaks(of files: [(file: AudioFile, facts: AudioFileFacts)]) {
    for (file, facts) in files {
      guard let path = folder.find(file.location) else { continue }
      // Errors are ignored: peaks are computed again on request, and the edit has been committed.
      _ = try? PeakCache(cacheFolder).peaks(of: path, facts: facts, sha256: file.location.sha256)
    }
  }
}
