import DAWMedia
import Foundation

extension Session {
  /// The cache folder: the project's, or the user's if the project's cannot be written or is a link.
  package var cacheFolder: Place {
    let own = folder.place("Cache")
    if let folder = try? own.make(), folder.isWritable { return own }
    let users = Place(root: UserFolders.cache())
    try? users.makeRoot()
    return users
  }

  /// The path of a temporary file or folder, which a process keeps only while it uses the cache.
  package func newScratchPlace() -> Place { cacheFolder.appending(CacheFolder.scratchPrefix + UUID().uuidString) }
}
