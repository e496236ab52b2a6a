import Glibc

/// A lock on a key of a cache folder (`flock` on a file), held by one thread of one process. Released with the object,
/// or by the system when the process dies.
final class KeyLock {
  private let folder: Folder
  private let name: String
  private let number: Int32

  /// Waits for the lock.
  /// - Parameter goesOn: called while waiting; false cancels.
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
      if try Self.lock(number, goesOn) {
        let isCurrent: Bool
        do throws(SystemCallFailure) {
          isCurrent = try folder.isFile(number, named: name)
        } catch {
          close(number)
          throw .writing(AudioFileWriteError(path: place.appending(name).path, error))
        }
        if isCurrent {
          self.number = number
          return
        }
      }
      // The former holder has removed the file, so this lock protects nothing: try again.
      close(number)
    }
  }

  deinit {
    // Removed while locked, so that no other process can hold a lock on the removed file.
    try? folder.remove(name)
    close(number)
  }

  /// - Returns: false to try again with a new file.
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
      // A file system without locks: the same work may be done twice, which is harmless.
      default: return true
      }
    }
    return true
  }
}

extension Folder {
  /// Whether an open file is the one that has this name now.
  /// - Throws: where that cannot be told.
  func isFile(_ opened: Int32, named name: String) throws(SystemCallFailure) -> Bool {
    var (open, named) = (stat(), stat())
    guard fstat(opened, &open) == 0 else { throw SystemCallFailure(call: "stat", code: errno) }
    guard fstatat(number, name, &named, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return false }
      throw SystemCallFailure(call: "stat", code: errno)
    }
    return open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }
}
