import DAWMedia
import DAWProject
import DAWStore
import Foundation

/// The index of a cache folder, opened for this process alone.
final class OpenSearchIndex {
  let index: SearchIndex
  private let path: String
  private let lock: Int32
  private let use: FolderUse

  /// Waits for other searches that use the index.
  /// - Returns: `nil` if the folder cannot be written, another process does not give the index back, or it can neither
  ///   be opened nor made: nothing of that is a reason not to search.
  init?(in place: Place) {
    use = FolderUse(sharing: place)
    guard let folder = try? place.make(), folder.isWritable,
      let lock = try? folder.openFile(".search.lock", O_RDWR | O_CREAT, mode: 0o600)
    else { return nil }
    path = place.appending(CacheFolder.searchIndex).path
    guard Self.wait(for: lock), let index = try? SearchIndex(at: path) else {
      close(lock)
      return nil
    }
    self.lock = lock
    self.index = index
  }

  deinit {
    index.close()
    close(lock)
  }

  /// For an index that turned out to be damaged.
  func remove() {
    index.close()
    SearchIndex.remove(path)
  }

  private static func wait(for lock: Int32) -> Bool {
    let interval: UInt32 = 5_000
    for _ in 0..<1_000 {
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR else { return false }
      usleep(interval)
    }
    return false
  }

  /// Runs `body` with the index of a folder. If anything is wrong with that, it is made anew, in memory if need be.
  /// - Throws: what `body` throws for other reasons.
  static func use<T>(_ place: Place, _ body: (SearchIndex) throws -> T) throws -> T {
    for _ in 0..<2 {
      guard let open = OpenSearchIndex(in: place) else { break }
      do {
        return try body(open.index)
      } catch is SearchIndex.Fault {
        open.remove()
      }
    }
    return try body(SearchIndex())
  }
}

extension Session {
  /// Where the index of this project is, and what the project is called in it.
  var searchIndex: (place: Place, key: String) {
    let place = cacheFolder
    // The index in the project's own folder goes where the project goes.
    return (place, place == folder.place("Cache") ? "" : folder.path)
  }
}
