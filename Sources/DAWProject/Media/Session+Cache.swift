import DAWMedia
import Foundation

extension Session {
  /// Where what can be made again is kept: the project's folder, or the user's where that cannot be written, or is a link.
  package var cacheFolder: Place {
    let own = folder.place("Cache")
    if let folder = try? own.make(), folder.isWritable { return own }
    let users = Place(root: UserFolders.cache())
    try? users.makeRoot()
    return users
  }

  /// For a file or folder that is there only while somebody works with the cache.
  package func newScratchPlace() -> Place { cacheFolder.appending(CacheFolder.scratchPrefix + UUID().uuidString) }
}
