import Glibc

/// A folder of files that is being made: it lies hidden beside its final name, and gets that name only when all of it is
/// there. It goes away, with what is in it, with the last reference. Used by one thread at a time.
public final class PartialFolder {
  /// The final name.
  public let path: String
  /// Where the files are made until then.
  public let partialPath: String
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
    var template = Array(
      (Path.joining(Path.folder(of: path), "." + Path.name(of: path)) + ".partial-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw AudioFileWriteError(path: path, SystemCallFailure(call: "mkdir", code: errno))
    }
    partialPath = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    // mkdtemp's folder is its owner's alone; this one is like any other.
    let mask = umask(0)
    umask(mask)
    chmod(partialPath, 0o777 & ~mask)
  }

  deinit { discard() }

  /// Gives the folder its final name, once the disk has it. A folder that had the name is removed.
  public func commit() throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      try FileDescriptor.syncFolder(partialPath)
      // Over an empty folder, or none.
      if rename(partialPath, path) != 0 {
        guard replaces, errno == ENOTEMPTY || errno == EEXIST else {
          throw SystemCallFailure(call: "rename", code: errno)
        }
        // For a moment there is no folder of that name, and never half of one.
        let former = partialPath + "-former"
        guard rename(path, former) == 0, rename(partialPath, path) == 0 else {
          throw SystemCallFailure(call: "rename", code: errno)
        }
        Self.remove(former)
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

  private static func remove(_ folder: String) {
    for name in Path.names(in: folder) { unlink(Path.joining(folder, name)) }
    rmdir(folder)
  }

  private static func isFile(_ path: String, endingIn ending: String) -> Bool {
    var status = stat()
    return path.hasSuffix("." + ending) && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }
}
