import CFileSystem
import Glibc

/// An open folder. Files are made, renamed and removed in it by its descriptor and a single name, never through a link,
/// so whatever another process does meanwhile, nothing outside is touched. Any thread.
public final class Folder: Sendable {
  /// The path by which it was opened, for messages.
  public let path: String
  let number: Int32

  private init(owning number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  /// Opens a folder that the user names; links on the way to it are followed.
  public convenience init(path: String) throws(SystemCallFailure) {
    self.init(owning: try FileDescriptor.openingNumber(path, O_RDONLY | O_DIRECTORY), path: path)
  }

  deinit { close(number) }

  // MARK: Reading

  /// The names in it, sorted; empty if it cannot be read.
  public func names() -> [String] { (try? readNames()) ?? [] }

  /// The names in it, sorted.
  /// - Throws: if it cannot be read.
  public func readNames() throws(SystemCallFailure) -> [String] {
    let own = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw SystemCallFailure(call: "openat", code: errno) }
    guard let stream = fdopendir(own) else {
      let code = errno
      close(own)
      throw SystemCallFailure(call: "fdopendir", code: code)
    }
    defer { closedir(stream) }
    return try Path.names(in: stream).sorted()
  }

  /// The status of a name, not following a link; `nil` if it does not exist, or cannot be told (`existingStatus`).
  public func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// A link's target, unresolved; `nil` if the name is not a link.
  public func target(ofLink name: String) -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = target.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlinkat(number, name, $0, characters.count) } ?? -1
      }
    }
    return count < 0 ? nil : String(decoding: target.prefix(count), as: UTF8.self)
  }

  /// The mode of a file or folder that is made of another one, or takes its place: it allows others no more than that
  /// did.
  /// - Parameters:
  ///   - wanted: what it may allow at most; the umask is taken away from that as ever.
  ///   - other: the mode of the other one.
  public static func mode(_ wanted: mode_t, noWiderThan other: mode_t) -> mode_t { wanted & (other | 0o700) }

  /// The mode of a folder in it whose names are its user's alone. A group that shares this folder (it has the
  /// set-group-ID bit, and the group may write to it) shares that one too.
  var modeOfPrivate: mode_t {
    let shared: mode_t = 0o2020
    return (try? status()).map { $0.st_mode & shared == shared } == true ? 0o770 : 0o700
  }

  /// Takes away what others may do with it. One of another user stays as it is, and one on a file system without modes.
  /// - Parameter mode: what may stay.
  func restrict(to mode: mode_t) {
    guard let found = try? status(), found.st_uid == geteuid(), found.st_mode & 0o777 & ~mode != 0 else { return }
    fchmod(number, found.st_mode & (0o7000 | mode))
  }

  /// Whether the user may make files in it.
  public var isWritable: Bool { faccessat(number, ".", W_OK, AT_EACCESS) == 0 }

  /// Whether both are on one file system, and so share its room.
  public func isOnFileSystem(of other: Folder) -> Bool {
    guard let own = try? status(), let others = try? other.status() else { return false }
    return own.st_dev == others.st_dev
  }

  /// Whether an open file is on its file system.
  func isOnFileSystem(of opened: Int32) -> Bool {
    var open = stat()
    guard fstat(opened, &open) == 0, let own = try? status() else { return false }
    return own.st_dev == open.st_dev
  }

  /// Whether both are the same folder.
  /// - Throws: where that cannot be told.
  func isSame(as other: Folder) throws(SystemCallFailure) -> Bool {
    let (own, others) = (try status(), try other.status())
    return own.st_ino == others.st_ino && own.st_dev == others.st_dev
  }

  // MARK: Opening

  /// Opens a folder in it.
  /// - Parameters:
  ///   - makes: whether to make it if it is missing; its name is then flushed to disk.
  ///   - mode: of a folder that is made.
  /// - Throws: with the code `ELOOP` if it is a link.
  public func folder(
    _ name: String, makes: Bool = false, mode: mode_t = 0o777
  ) throws(SystemCallFailure) -> Folder {
    try Self.requireName(name)
    if makes {
      if mkdirat(number, name, mode) == 0 {
        try sync()
      } else if errno != EEXIST, errno != EROFS {
        throw SystemCallFailure(call: "mkdir", code: errno)
      }
    }
    let opened = try open(name, O_RDONLY | O_DIRECTORY)
    return Folder(owning: opened, path: Path.joining(path, name))
  }

  /// Makes a folder.
  /// - Throws: with the code `EEXIST` if the name exists.
  public func makeFolder(_ name: String, mode: mode_t = 0o777) throws(SystemCallFailure) {
    try Self.requireName(name)
    guard mkdirat(number, name, mode) == 0 else { throw SystemCallFailure(call: "mkdir", code: errno) }
  }

  /// Opens or makes a regular file. Never blocks on a named pipe or a device.
  /// - Parameters:
  ///   - flags: as for open(2).
  ///   - mode: of a file that is made.
  /// - Returns: a descriptor that the caller has to close; close-on-exec.
  /// - Throws: with the code `ELOOP` for a link, `ENODEV` for a named pipe or a device.
  public func openFile(_ name: String, _ flags: Int32, mode: mode_t = 0o666) throws(SystemCallFailure) -> Int32 {
    try Self.requireName(name)
    // O_NONBLOCK changes nothing for a file.
    let opened = try open(name, flags | O_NONBLOCK | O_NOCTTY, mode: mode)
    var status = stat()
    if fstat(opened, &status) == 0, status.isFile { return opened }
    close(opened)
    throw SystemCallFailure(call: "open", code: status.isFolder ? EISDIR : ENODEV)
  }

  /// Makes a file of these bytes, without flushing it to disk.
  /// - Throws: with the code `EEXIST` if the name exists.
  public func makeFile(_ name: String, _ bytes: [UInt8]) throws(SystemCallFailure) {
    let file = FileDescriptor(owning: try openFile(name, O_WRONLY | O_CREAT | O_EXCL))
    try FileDescriptor.write(bytes, to: file.number, at: 0)
  }

  /// Makes a nameless temporary file, which is gone when it is closed.
  /// - Parameter spare: a temporary name, used if the file system has no nameless files (FAT).
  package func openNameless(spare: String) throws(SystemCallFailure) -> Int32 {
    // O_TMPFILE, whose macro Swift does not import.
    let nameless: Int32 = 0o20_000_000 | O_DIRECTORY
    do throws(SystemCallFailure) {
      return try open(".", O_RDWR | nameless)
    } catch {
      guard error.code == EOPNOTSUPP || error.code == EISDIR || error.code == ENOENT else { throw error }
    }
    let opened = try openFile(spare, O_RDWR | O_CREAT | O_EXCL)
    try? remove(spare)
    return opened
  }

  private func open(_ name: String, _ flags: Int32, mode: mode_t = 0o666) throws(SystemCallFailure) -> Int32 {
    while true {
      let opened = openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC, mode)
      if opened >= 0 { return opened }
      let code = errno
      if code == EINTR { continue }
      // With O_DIRECTORY, a link gives ENOTDIR; a pipe without a reader gives ENXIO.
      let isLink = code == ENOTDIR && status(of: name)?.isLink == true
      throw SystemCallFailure(call: "open", code: isLink ? ELOOP : code == ENXIO ? ENODEV : code)
    }
  }

  // MARK: Locks

  /// Makes a locked folder. The lock is held as long as the object lives, so other processes can tell it from one
  /// abandoned by a killed process.
  /// - Parameters:
  ///   - prefix: of its name; eight hexadecimal digits follow.
  ///   - mode: its mode.
  public func makeLockedFolder(
    _ prefix: String, mode: mode_t = 0o777
  ) throws(SystemCallFailure) -> (name: String, folder: Folder) {
    while true {
      let name = prefix + RandomDigits.next()
      try makeFolder(name, mode: mode)
      let made = try folder(name)
      let isTaken = flock(made.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      let isLinked: Bool
      do throws(SystemCallFailure) {
        isLinked = try made.isLinked()
      } catch {
        removeAll(name)
        throw error
      }
      // Another process may have removed it as abandoned before it was locked: try again.
      if !isTaken, isLinked { return (name, made) }
      removeAll(name)
    }
  }

  /// Tries to lock the folder; the lock is released with the object.
  /// - Returns: whether no process holds it.
  public func lockAlone() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

  // MARK: Changing

  /// Renames a file or folder atomically. An existing file, or a link itself, is replaced.
  public func rename(_ name: String, to target: Folder, as newName: String) throws(SystemCallFailure) {
    for name in [name, newName] { try Self.requireName(name) }
    guard renameat(number, name, target.number, newName) == 0 else {
      throw SystemCallFailure(call: "rename", code: errno)
    }
  }

  /// Renames if the new name does not exist. In a race a folder replaces at most an empty folder; for files, `link` is
  /// race-free.
  /// - Throws: with the code `EEXIST` if the new name exists.
  public func renameWithoutReplacing(
    _ name: String, to target: Folder, as newName: String
  ) throws(SystemCallFailure) {
    guard try target.existingStatus(of: newName) == nil else { throw SystemCallFailure(call: "rename", code: EEXIST) }
    do throws(SystemCallFailure) {
      try rename(name, to: target, as: newName)
    } catch {
      let isInTheWay = [ENOTEMPTY, ENOTDIR, EISDIR].contains(error.code)
      throw isInTheWay ? SystemCallFailure(call: "rename", code: EEXIST) : error
    }
  }

  /// Hard-links a file, or renames it if the file system has no hard links.
  /// - Throws: with the code `EEXIST` if the new name exists.
  public func link(_ name: String, to target: Folder, as newName: String) throws(SystemCallFailure) {
    for name in [name, newName] { try Self.requireName(name) }
    if linkat(number, name, target.number, newName, 0) == 0 { return }
    guard [EPERM, EOPNOTSUPP, ENOSYS].contains(errno) else { throw SystemCallFailure(call: "link", code: errno) }
    try renameWithoutReplacing(name, to: target, as: newName)
  }

  /// Removes a file, or a link itself.
  public func remove(_ name: String) throws(SystemCallFailure) {
    try Self.requireName(name)
    guard unlinkat(number, name, 0) == 0 else { throw SystemCallFailure(call: "remove", code: errno) }
  }

  /// Removes an empty folder.
  public func removeFolder(_ name: String) throws(SystemCallFailure) {
    try Self.requireName(name)
    guard unlinkat(number, name, AT_REMOVEDIR) == 0 else { throw SystemCallFailure(call: "remove", code: errno) }
  }

  /// Removes what has the name: a link itself, a folder with all that is in it. What cannot be removed stays.
  /// - Returns: why something stays; `nil` where nothing does.
  @discardableResult
  public func removeAll(_ name: String) -> SystemCallFailure? {
    var failure: SystemCallFailure?
    do throws(SystemCallFailure) {
      try remove(name)
      return nil
    } catch {
      // A folder.
      if error.code != EISDIR { failure = error }
    }
    do throws(SystemCallFailure) {
      let inner = try folder(name)
      for name in try inner.readNames() { failure = inner.removeAll(name) ?? failure }
    } catch {
      failure = failure ?? error
    }
    do throws(SystemCallFailure) {
      try removeFolder(name)
      return nil
    } catch {
      return lacks(name) ? nil : failure ?? error
    }
  }

  /// Removes a file or folder that a killed process has left, recognised by its free lock.
  public func removeAbandoned(_ name: String) { ifAbandoned(name) { removeAll(name) } }

  /// Whether a killed process has left a file or folder, recognised by its free lock.
  public func isAbandoned(_ name: String) -> Bool {
    var isAbandoned = false
    ifAbandoned(name) { isAbandoned = true }
    return isAbandoned
  }

  /// Calls `body` while the lock of an abandoned file or folder is held.
  private func ifAbandoned(_ name: String, _ body: () -> Void) {
    guard let status = status(of: name), status.isFile || status.isFolder,
      let opened = try? open(name, O_RDONLY | O_NONBLOCK)
    else { return }
    defer { close(opened) }
    if flock(opened, LOCK_EX | LOCK_NB) == 0 { body() }
  }

  /// Copies a file with permissions and times, without flushing it to disk.
  /// - Parameter isInterrupted: asked before each piece; true ends it.
  /// - Throws: with the code `EEXIST` if the new name exists, `ECANCELED` if it was interrupted; no incomplete copy is
  ///   left.
  public func copy(
    _ name: String, to target: Folder, as newName: String, isInterrupted: () -> Bool = { false }
  ) throws(SystemCallFailure) {
    let source = FileDescriptor(owning: try openFile(name, O_RDONLY))
    let copy = FileDescriptor(owning: try target.openFile(newName, O_WRONLY | O_CREAT | O_EXCL))
    do throws(SystemCallFailure) {
      let status = try source.status()
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
      defer { piece.deallocate() }
      var offset: Int64 = 0
      while true {
        if isInterrupted() { throw SystemCallFailure(call: "copy", code: ECANCELED) }
        let count = try source.read(into: piece, at: offset)
        if count == 0 { break }
        try FileDescriptor.write(UnsafeRawBufferPointer(rebasing: piece[..<count]), to: copy.number)
        offset += Int64(count)
      }
      fchmod(copy.number, status.st_mode & 0o777)
      _ = withUnsafePointer(to: (status.st_atim, status.st_mtim)) { times in
        times.withMemoryRebound(to: timespec.self, capacity: 2) { futimens(copy.number, $0) }
      }
    } catch {
      try? target.remove(newName)
      throw error
    }
  }

  /// Sets a file's modification time to now. Errors are ignored: only the order of eviction from a cache is affected.
  public func touch(_ name: String) {
    if (try? Self.requireName(name)) != nil { utimensat(number, name, nil, AT_SYMLINK_NOFOLLOW) }
  }

  /// Flushes its list of names to disk.
  public func sync() throws(SystemCallFailure) { try FileDescriptor.sync(number) }

  /// Flushes everything on its file system to disk (syncfs): with many files much faster than one by one.
  public func syncFileSystem() throws(SystemCallFailure) {
    while daw_sync_file_system(number) != 0 {
      if errno != EINTR { throw SystemCallFailure(call: "sync", code: errno) }
    }
  }

  /// Flushes all files and folders in it to disk, recursively. Links are not followed.
  public func syncTree() throws(SystemCallFailure) {
    for name in try readNames() {
      guard let status = try existingStatus(of: name) else { continue }
      if status.isFolder { try folder(name).syncTree() }
      if status.isFile {
        let file = FileDescriptor(owning: try openFile(name, O_RDONLY))
        try FileDescriptor.sync(file.number)
      }
    }
    try sync()
  }

  private func status() throws(SystemCallFailure) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemCallFailure(call: "stat", code: errno) }
    return status
  }

  /// Whether it still has a name in the file system.
  /// - Throws: where that cannot be told.
  private func isLinked() throws(SystemCallFailure) -> Bool { try status().st_nlink > 0 }

  /// Refuses paths, which could lead anywhere.
  private static func requireName(_ name: String) throws(SystemCallFailure) {
    guard !["", ".", ".."].contains(name), !name.utf8.contains(where: { $0 == 0x2f || $0 == 0 }) else {
      throw SystemCallFailure(call: "open", code: EINVAL)
    }
  }
}

extension stat {
  public var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  public var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  public var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
}

extension Folder {
  /// Bytes that this user can still write on its file system; `nil` if unknown.
  public var freeByteCount: Int64? {
    var status = statvfs()
    // Some FUSE file systems say nothing of their size.
    guard fstatvfs(number, &status) == 0, status.f_blocks > 0 else { return nil }
    let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return isTooMany ? .max : Int64(clamping: bytes)
  }
}
