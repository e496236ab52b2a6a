import Glibc

/// A folder of files that is being made: it lies hidden beside its final name, as `.NAME.partial-XXXXXX`, and gets that
/// name only when all of it is there. It goes away, with what is in it, with the last reference, and where the process was
/// killed, when a folder of the same name is made next. Used by one thread at a time.
public final class PartialFolder {
  /// The final name.
  public let path: String
  /// Where the files are made until then.
  public let partialPath: String
  /// The folder itself, locked as long as the process lives: it tells one in the making from one that was abandoned.
  private let number: Int32
  private let replaces: Bool
  private var isPending = true

  /// - Parameter replaces: whether a folder of that name makes way, if it holds nothing but files that end as
  ///   `replaceableEnding` does; an empty one always does.
  /// - Throws: `.exists`, `.notAFile` where something else has the name; what making a folder throws.
  public init(path: String, replaces: Bool, replaceableEnding: String) throws(AudioFileWriteError) {
    self.path = path
    self.replaces = replaces
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .exists(path: path) }
      let names = Path.names(in: path)
      guard names.isEmpty || replaces else { throw .exists(path: path) }
      if let other = names.first(where: { !Self.isFile(Path.joining(path, $0), endingIn: replaceableEnding) }) {
        throw .holdsOtherThings(path: path, name: other)
      }
    }
    let parent = Path.folder(of: path)
    let prefix = Self.prefix(for: path)
    Self.removeAbandoned(prefix, in: parent, ofFolder: path)
    do throws(SystemCallFailure) {
      (partialPath, number) = try Self.create(in: parent, prefix)
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  deinit {
    discard()
    close(number)
  }

  /// Gives the folder its final name, once the disk has it. A folder that had the name is removed.
  public func commit() throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      try FileDescriptor.syncFolder(partialPath)
      // Over an empty folder, or none.
      if rename(partialPath, path) != 0 {
        let isInTheWay = errno == ENOTEMPTY || errno == EEXIST
        guard replaces, isInTheWay else { throw SystemCallFailure(call: "rename", code: isInTheWay ? EEXIST : errno) }
        try replaceFormer()
      }
      isPending = false
      try FileDescriptor.syncFolder(Path.folder(of: path))
    } catch {
      discard()
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Removes it, unless it has its final name already.
  public func discard() {
    guard isPending else { return }
    isPending = false
    Self.remove(partialPath)
  }

  private func replaceFormer() throws(SystemCallFailure) {
    // For a moment there is no folder of that name, and never half of one.
    let former = partialPath + Self.formerMark
    guard rename(path, former) == 0 else { throw SystemCallFailure(call: "rename", code: errno) }
    guard rename(partialPath, path) == 0 else {
      let code = errno
      rename(former, path)
      throw SystemCallFailure(call: "rename", code: code)
    }
    Self.remove(former)
  }

  private static let formerMark = "-former"

  private static func prefix(for path: String) -> String {
    var name = Substring(Path.name(of: path))
    // Together with what is added it must stay within the 255 bytes of a name.
    while name.utf8.count > 200 { name.removeLast() }
    return "." + name + ".partial-"
  }

  /// - Returns: the new folder, and a descriptor that holds its lock.
  private static func create(
    in folder: String, _ prefix: String
  ) throws(SystemCallFailure) -> (path: String, number: Int32) {
    while true {
      var template = Array(Path.joining(folder, prefix + "XXXXXX").utf8CString)
      guard mkdtemp(&template) != nil else { throw SystemCallFailure(call: "mkdir", code: errno) }
      let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
      let number = try FileDescriptor.openingNumber(path, O_RDONLY | O_DIRECTORY)
      // Where another process took the folder for abandoned in the moment before, begin again.
      var status = stat()
      let isTaken = flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      if !isTaken, fstat(number, &status) == 0, status.st_nlink > 0 {
        // mkdtemp's folder is its owner's alone; this one is like any other.
        let mask = umask(0)
        umask(mask)
        fchmod(number, 0o777 & ~mask)
        return (path, number)
      }
      close(number)
      rmdir(path)
    }
  }

  /// What killed processes have left: nobody holds its lock.
  /// - Parameter path: the final name. A folder that had it, and was to make way, gets it back where nothing has it.
  private static func removeAbandoned(_ prefix: String, in folder: String, ofFolder path: String) {
    for name in Path.names(in: folder) where name.hasPrefix(prefix) {
      let abandoned = Path.joining(folder, name)
      guard let file = try? FileDescriptor.opening(abandoned, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
        flock(file.number, LOCK_EX | LOCK_NB) == 0
      else { continue }
      if name.hasSuffix(formerMark), access(path, F_OK) != 0, rename(abandoned, path) == 0 { continue }
      remove(abandoned)
    }
  }

  private static func remove(_ folder: String) {
    for name in Path.names(in: folder) { unlink(Path.joining(folder, name)) }
    rmdir(folder)
  }

  private static func isFile(_ path: String, endingIn ending: String) -> Bool {
    var status = stat()
    return path.hasSuffix("." + ending) && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
