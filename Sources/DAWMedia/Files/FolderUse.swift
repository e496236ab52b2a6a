import Glibc
import Synchronization

/// Held by whoever works with what lies in a folder, so that nobody takes it away meanwhile: any number share it, or one
/// has it alone, to clear it. It is a lock on the folder itself, let go with the object, and by the system when the process
/// dies. Where there is no folder, or its file system has no locks, sharing is as good as held, and having it alone is
/// refused.
public final class FolderUse: Sendable {
  /// `nil` where nothing is held.
  private let folder: Mutex<Folder?>

  private init(_ folder: Folder?) { self.folder = Mutex(folder) }

  /// Waits while somebody has the folder alone, which is never long.
  public convenience init(sharing place: Place) {
    self.init(Self.lock(place, LOCK_SH))
  }

  /// - Returns: `nil` where anybody works with the folder.
  public static func exclusive(_ place: Place) -> FolderUse? {
    lock(place, LOCK_EX | LOCK_NB).map { FolderUse($0) }
  }

  deinit { end() }

  /// Lets it go before the object goes.
  public func end() {
    folder.withLock { folder in
      // A process that is just being started has the descriptor too, until it runs its own program.
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
      if let named = try? place.open(), named.isSame(as: folder) { return folder }
      // Another folder has the name by now: it was removed by hand. Once more with the new one.
    }
  }
}
