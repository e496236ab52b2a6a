import Glibc

/// Held by one process, and one thread in it, for one key of a cache folder. It is let go with the object, and by the
/// system when the process dies.
final class KeyLock {
  private let folder: Folder
  private let name: String
  private let number: Int32

  /// Waits until nobody else holds the lock.
  /// - Parameter goesOn: is asked while waiting; false gives up.
  /// - Throws: `.writing`, `.cancelled`.
  init(key: String, in place: Place, goesOn: () -> Bool) throws(MediaWorkError) {
    name = "." + key + ".lock"
    do {
      folder = try place.make()
    } catch {
      throw .writing(AudioFileWriteError(path: place.path, error))
    }
    while true {
      let number: Int32
      do {
        number = try folder.openFile(name, O_RDWR | O_CREAT)
      } catch {
        throw .writing(AudioFileWriteError(path: place.appending(name).path, error))
      }
      if try Self.lock(number, goesOn), folder.isFile(number, named: name) {
        self.number = number
        return
      }
      // Whoever held it has removed the file: what we hold is the lock of nothing.
      close(number)
    }
  }

  deinit {
    // While it is held, so that nobody can hold a file that has another's name.
    try? folder.remove(name)
    close(number)
  }

  /// - Returns: false where another try with the file of that name is due.
  private static func lock(_ number: Int32, _ goesOn: () -> Bool) throws(MediaWorkError) -> Bool {
    while flock(number, LOCK_EX | LOCK_NB) != 0 {
      switch errno {
      case EWOULDBLOCK:
        guard goesOn() else {
          close(number)
          throw .cancelled
        }
        usleep(20_000)
      case EINTR: continue
      // A file system without locks: the same work may be done twice, which harms nothing.
      default: return true
      }
    }
    return true
  }
}
