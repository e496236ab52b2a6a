import Glibc
import Synchronization

/// Held by whoever works with what lies in a folder, so that nobody takes it away meanwhile: any number share it, or one
/// has it alone, to clear it. It is a lock on the folder itself, let go with the object, and by the system when the process
/// dies. Where there is no folder, or its file system has no locks, sharing is as good as held, and having it alone is
/// refused.
public final class FolderUse: Sendable {
  /// −1 where nothing is held.
  private let number: Mutex<Int32>

  private init(number: Int32) { self.number = Mutex(number) }

  /// Waits while somebody has the folder alone, which is never long.
  public convenience init(sharing folder: String) {
    self.init(number: Self.lock(folder, LOCK_SH) ?? -1)
  }

  /// - Returns: `nil` where anybody works with the folder.
  public static func exclusive(_ folder: String) -> FolderUse? {
    lock(folder, LOCK_EX | LOCK_NB).map { FolderUse(number: $0) }
  }

  deinit { end() }

  /// Lets it go before the object goes.
  public func end() {
    number.withLock { number in
      if number >= 0 {
        // A process that is just being started has the descriptor too, until it runs its own program.
        flock(number, LOCK_UN)
        close(number)
      }
      number = -1
    }
  }

  private static func lock(_ folder: String, _ operation: Int32) -> Int32? {
    while true {
      guard let number = try? FileDescriptor.openingNumber(folder, O_RDONLY | O_DIRECTORY) else { return nil }
      var result = flock(number, operation)
      while result != 0, errno == EINTR { result = flock(number, operation) }
      if result == 0, FileDescriptor.isFile(number, at: folder) { return number }
      close(number)
      // Where another folder has the name by now, it was removed by hand: once more with the new one.
      if result != 0 { return nil }
    }
  }
}
