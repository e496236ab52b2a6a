import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// The files of the project's cache that are damaged: peaks and converted media whose heads or lengths are not right,
  /// and an index of words that SQLite finds damaged. Renders are compared with their checksums whenever they are used.
  func damagedCacheFiles() throws -> [String] {
    let cache = folder.place("Cache")
    guard let open = try? cache.open() else { return [] }
    let media = Dictionary(try read { try $0.audioFiles() }.map { ($0.location.sha256, $0) }) { first, _ in first }
    return open.names().filter { name in
      guard CacheFolder.isCached(name), open.status(of: name)?.isFile == true else { return false }
      let path = cache.appending(name).path
      if name == CacheFolder.searchIndex { return SearchIndex.isDamaged(path) }
      if name.hasSuffix(".wav") { return (try? AudioFileFacts.read(path: path))?.warnings.isEmpty != true }
      guard name.hasSuffix(".peaks"), let file = media[String(name.dropLast(".peaks".count))] else { return false }
      return !PeakCache(cache).holdsPeaks(
        sha256: file.location.sha256, channelCount: file.channelCount, frames: file.frames)
    }
  }

  /// Removes the files of the cache that are damaged; they are made again when they are needed.
  /// - Returns: their names; empty also where another process uses the cache.
  func removeDamagedCacheFiles() throws -> [String] {
    let cache = folder.place("Cache")
    guard let use = FolderUse.exclusive(cache), let open = try? cache.open() else { return [] }
    defer { use.end() }
    return try damagedCacheFiles().filter { name in
      if name == CacheFolder.searchIndex {
        SearchIndex.remove(cache.appending(name).path)
        return true
      }
      return (try? open.remove(name)) != nil
    }
  }
}
