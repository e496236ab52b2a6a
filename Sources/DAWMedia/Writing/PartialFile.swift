import Glibc

/// A file that is being made: it lies hidden beside its final name, as `.NAME.partial-XXXXXXXX`, and gets that name only
/// when it is complete and on the disk. It goes away when the last reference does, and where the process was killed,
/// when a file of the same name is made next. Used by one thread at a time.
final class PartialFile {
  let path: String
  private let partialPath: String
  /// For libraries that take a number; it belongs to this object, and is closed with it.
  let number: Int32
  private let replaces: Bool
  private var isPending = true

  /// - Parameter replaces: whether a file that has the final name makes way. If not, it is refused, now and in `commit`.
  init(path: String, replaces: Bool) throws(AudioFileWriteError) {
    let final = try Self.destination(path, replaces: replaces)
    let folder = Path.folder(of: final)
    // Together with what is added it must stay within the 255 bytes of a name.
    let prefix = "." + Self.shortened(Path.name(of: final)) + ".partial-"
    Self.removeAbandoned(prefix, in: folder)
    do throws(SystemCallFailure) {
      (partialPath, number) = try Self.create(in: folder, prefix)
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
    self.path = final
    self.replaces = replaces
  }

  deinit {
    discard()
    close(number)
  }

  /// Gives the file its final name, once the disk has it.
  func commit() throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      try FileDescriptor.sync(number)
      if replaces {
        guard rename(partialPath, path) == 0 else { throw SystemCallFailure(call: "rename", code: errno) }
      } else {
        try nameWithoutReplacing()
      }
      isPending = false
      try FileDescriptor.syncFolder(Path.folder(of: path))
    } catch {
      discard()
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Removes it, unless it has its final name already.
  func discard() {
    guard isPending else { return }
    isPending = false
    unlink(partialPath)
  }

  private func nameWithoutReplacing() throws(SystemCallFailure) {
    // A second name for the file fails where there is one already, in one step; a rename would not.
    if link(partialPath, path) == 0 {
      unlink(partialPath)
      return
    }
    guard errno == EPERM || errno == ENOTSUP || errno == ENOSYS else {
      throw SystemCallFailure(call: "link", code: errno)
    }
    // A file system without second names, such as a memory card's.
    guard access(path, F_OK) != 0 else { throw SystemCallFailure(call: "rename", code: EEXIST) }
    guard rename(partialPath, path) == 0 else { throw SystemCallFailure(call: "rename", code: errno) }
  }

  /// Where the file will really lie: a link is followed, so that it stays one.
  private static func destination(_ path: String, replaces: Bool) throws(AudioFileWriteError) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { return path }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .notAFile(path: path, kind: "a folder")
    default: throw .notAFile(path: path, kind: "a device or a pipe")
    }
    guard replaces else { throw .exists(path: path) }
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func create(
    in folder: String, _ prefix: String
  ) throws(SystemCallFailure) -> (path: String, number: Int32) {
    while true {
      let path = Path.joining(folder, prefix + eightDigits())
      let number = try FileDescriptor.openingNumber(path, O_RDWR | O_CREAT | O_EXCL)
      // Held as long as the process lives: it tells a file in the making from one that was abandoned. Where another
      // process took the file for abandoned in the moment before, begin again.
      var status = stat()
      let isTaken = flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      if !isTaken, fstat(number, &status) == 0, status.st_nlink > 0 { return (path, number) }
      close(number)
      unlink(path)
    }
  }

  private static func removeAbandoned(_ prefix: String, in folder: String) {
    for name in Path.names(in: folder) where name.hasPrefix(prefix) {
      let path = Path.joining(folder, name)
      guard let file = try? FileDescriptor.opening(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW) else { continue }
      if flock(file.number, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
  }

  private static func shortened(_ name: String) -> String {
    var name = Substring(name)
    while name.utf8.count > 200 { name.removeLast() }
    return String(name)
  }

  private static func eightDigits() -> String {
    let digits = String(UInt32.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
