import Glibc

/// A file that is being made: it lies hidden beside its final name, as `.NAME.partial-XXXXXXXX`, and gets that name only
/// when it is complete and on the disk. It goes away when the last reference does, and where the process was killed,
/// when a file of the same name is made next. Used by one thread at a time.
final class PartialFile {
  /// Its final path, for messages.
  let path: String
  private let folder: Folder
  private let name: String
  private let partialName: String
  /// For libraries that take a number; it belongs to this object, and is closed with it.
  let number: Int32
  private let replaces: Bool
  private var isPending = true

  /// - Parameter replaces: whether a file, or a link to one, that has the final name makes way. If not, it is refused, now
  ///   and in `commit`.
  init(at place: Place, replaces: Bool) throws(AudioFileWriteError) {
    path = place.path
    name = place.name
    self.replaces = replaces
    // As of "/" or "..".
    if place.name.isEmpty { throw .notAFile(path: place.path, kind: "a folder") }
    do throws(SystemCallFailure) {
      folder = try place.parent.open()
    } catch {
      throw error.code == ELOOP ? .isLink(path: place.parent.path) : AudioFileWriteError(path: place.path, error)
    }
    try Self.requireRoom(for: place, in: folder, replaces: replaces)
    // Together with what is added it must stay within the 255 bytes of a name.
    let prefix = "." + Self.shortened(place.name) + ".partial-"
    for name in folder.names() where name.hasPrefix(prefix) && folder.status(of: name)?.isFile == true {
      folder.removeAbandoned(name)
    }
    do throws(SystemCallFailure) {
      (partialName, number) = try Self.create(in: folder, prefix)
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
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
        try folder.rename(partialName, to: folder, as: name)
      } else {
        try nameWithoutReplacing()
      }
      isPending = false
      try folder.sync()
    } catch {
      discard()
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Removes it, unless it has its final name already.
  func discard() {
    guard isPending else { return }
    isPending = false
    try? folder.remove(partialName)
  }

  private func nameWithoutReplacing() throws(SystemCallFailure) {
    // A second name for the file fails where there is one already, in one step; a rename would not.
    try folder.link(partialName, to: folder, as: name)
    try? folder.remove(partialName)
  }

  /// What is replaced is a file, or a link that leads to one or to nothing: the link itself makes way.
  private static func requireRoom(
    for place: Place, in folder: Folder, replaces: Bool
  ) throws(AudioFileWriteError) {
    guard var status = folder.status(of: place.name) else { return }
    if status.isLink {
      // As /dev/stdout is: what it leads to is open, and the link is the system's.
      if folder.target(ofLink: place.name)?.hasPrefix("/proc/") == true {
        throw .notAFile(path: place.path, kind: "a link to an open file")
      }
      guard stat(place.path, &status) == 0 else {
        guard replaces else { throw .exists(path: place.path) }
        return
      }
    }
    if status.isFolder { throw .notAFile(path: place.path, kind: "a folder") }
    guard status.isFile else { throw .notAFile(path: place.path, kind: "a device or a pipe") }
    guard replaces else { throw .exists(path: place.path) }
  }

  private static func create(
    in folder: Folder, _ prefix: String
  ) throws(SystemCallFailure) -> (name: String, number: Int32) {
    while true {
      let name = prefix + eightDigits()
      let number = try folder.openFile(name, O_RDWR | O_CREAT | O_EXCL)
      // Held as long as the process lives: it tells a file in the making from one that was abandoned. Where another
      // process took the file for abandoned in the moment before, begin again.
      var status = stat()
      let isTaken = flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      if !isTaken, fstat(number, &status) == 0, status.st_nlink > 0 { return (name, number) }
      close(number)
      try? folder.remove(name)
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
