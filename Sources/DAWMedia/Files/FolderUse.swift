import Glibc
import Synchronization

/// A lock that keeps a folder's files from being cleared while they are in use: shared by its users, exclusive for
/// clearing. It is an `flock` on the folder itself, released with the object, or by the system when the process dies.
/// If the folder does not exist or its file system has no locks, sharing always succeeds and exclusive use is refused.
public final class FolderUse: Sendable {
  /// `nil` if nothing is held.
  private let folder: Mutex<Folder?>

  private init(_ folder: Folder?) { self.folder = Mutex(folder) }

  /// Waits while another process has exclusive use, which is brief.
  public convenience init(sharing place: Place) {
    self.init(Self.lock(place, LOCK_SH))
  }

  /// - Returns: `nil` if the folder is in use.
  public static func exclusive(_ place: Place) -> FolderUse? {
    lock(place, LOCK_EX | LOCK_NB).map { FolderUse($0) }
  }

  deinit { end() }

  /// Releases the lock before the object is freed.
  public func end() {
    folder.withLock { folder in
      // A child process has the descriptor too until it calls exec, so closing is not enough.
      if let folder { flock(folder.number, LOCK_UN) }
      folder = nil
    }
  }

  private static func lock(_ place: Place, _ operation: Int32) -> Folder? {
    while true {
      guard let folder = try? place.open() else { return nil }
      var result = flock(folder.number, operation)
      while result != 0, errno == EINTR { result = flock(folder.number, operation) }
      if result != 0 { return nil }
      do throws(SystemCallFailure) {
        if try place.open().isSame(as: folder) { return folder }
      } catch {
        // Where that cannot be told, nothing is held: with no descriptor left, trying again would never end.
        if error.code != ENOENT { return nil }
      }
      // The folder was removed and made again meanwhile: try again with the new one.
    }
  }
}
