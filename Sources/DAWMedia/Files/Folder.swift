import Glibc

/// A folder that is open. What is made, renamed and removed in it goes by its descriptor and one name, never through a
/// link: whatever another process puts in its way meanwhile, nothing outside is touched. Any thread.
public final class Folder: Sendable {
  /// As it was opened, for messages.
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

  // MARK: Looking

  /// The names in it, in order; none where it cannot be read.
  public func names() -> [String] { (try? readNames()) ?? [] }

  /// The names in it, in order.
  /// - Throws: where it cannot be opened for reading.
  public func readNames() throws(SystemCallFailure) -> [String] {
    let own = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw SystemCallFailure(call: "openat", code: errno) }
    guard let stream = fdopendir(own) else {
      let code = errno
      close(own)
      throw SystemCallFailure(call: "fdopendir", code: code)
    }
    defer { closedir(stream) }
    return Path.names(in: stream).sorted()
  }

  /// What has a name in it, be it a link; `nil` where nothing has.
  public func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// What a link leads to, as it stands in it; `nil` where there is no link of that name.
  public func target(ofLink name: String) -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = target.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        characters.baseAddress.map { readlinkat(number, name, $0, characters.count) } ?? -1
      }
    }
    return count < 0 ? nil : String(decoding: target.prefix(count), as: UTF8.self)
  }

  /// Whether this user may make files in it.
  public var isWritable: Bool { faccessat(number, ".", W_OK, AT_EACCESS) == 0 }

  /// Whether what is open is what has this name now.
  func isFile(_ opened: Int32, named name: String) -> Bool {
    var open = stat()
    guard fstat(opened, &open) == 0, let named = status(of: name) else { return false }
    return open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }

  /// Whether both are the same folder.
  func isSame(as other: Folder) -> Bool { (try? status()).map { other.isSame($0) } ?? false }

  // MARK: Opening

  /// Opens a folder in it.
  /// - Parameter makes: makes it where it is missing; the disk has its name then.
  /// - Throws: with the code `ELOOP` where that is a link.
  public func folder(_ name: String, makes: Bool = false) throws(SystemCallFailure) -> Folder {
    try Self.requireName(name)
    if makes {
      if mkdirat(number, name, 0o777) == 0 {
        try sync()
      } else if errno != EEXIST, errno != EROFS {
        throw SystemCallFailure(call: "mkdir", code: errno)
      }
    }
    let opened = try open(name, O_RDONLY | O_DIRECTORY)
    return Folder(owning: opened, path: Path.joining(path, name))
  }

  /// Makes a folder of this name.
  /// - Throws: with the code `EEXIST` where something has the name.
  public func makeFolder(_ name: String) throws(SystemCallFailure) {
    try Self.requireName(name)
    guard mkdirat(number, name, 0o777) == 0 else { throw SystemCallFailure(call: "mkdir", code: errno) }
  }

  /// Opens a regular file, or makes one, never waiting for what is none.
  /// - Parameter flags: as for open(2).
  /// - Returns: a descriptor that is the caller's to close, and that no child process inherits.
  /// - Throws: with the code `ELOOP` for a link, `ENODEV` for a named pipe or a device.
  public func openFile(_ name: String, _ flags: Int32) throws(SystemCallFailure) -> Int32 {
    try Self.requireName(name)
    // O_NONBLOCK changes nothing for a file.
    let opened = try open(name, flags | O_NONBLOCK | O_NOCTTY)
    var status = stat()
    if fstat(opened, &status) == 0, status.isFile { return opened }
    close(opened)
    throw SystemCallFailure(call: "open", code: status.isFolder ? EISDIR : ENODEV)
  }

  /// Makes a file of these bytes. The disk may not have them yet.
  /// - Throws: with the code `EEXIST` where something has the name.
  public func makeFile(_ name: String, _ bytes: [UInt8]) throws(SystemCallFailure) {
    let file = FileDescriptor(owning: try openFile(name, O_WRONLY | O_CREAT | O_EXCL))
    try FileDescriptor.write(bytes, to: file.number, at: 0)
  }

  /// Makes a file that has no name, and is gone when it is closed.
  /// - Parameter spare: the name that it has for a moment where the file system has no nameless files, such as a memory
  ///   card's.
  func openNameless(spare: String) throws(SystemCallFailure) -> Int32 {
    // O_TMPFILE, whose macro is too much for the importer.
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

  private func open(_ name: String, _ flags: Int32) throws(SystemCallFailure) -> Int32 {
    while true {
      let opened = openat(number, name, flags | O_NOFOLLOW | O_CLOEXEC, 0o666)
      if opened >= 0 { return opened }
      let code = errno
      if code == EINTR { continue }
      // With O_DIRECTORY a link is "not a directory", and a pipe that no process reads has "no device".
      let isLink = code == ENOTDIR && status(of: name)?.isLink == true
      throw SystemCallFailure(call: "open", code: isLink ? ELOOP : code == ENXIO ? ENODEV : code)
    }
  }

  // MARK: Locks

  /// Makes a folder with a lock, which is held as long as the object lives: by that, one in the making is told from one
  /// that a killed process has left.
  /// - Parameter prefix: of its name; eight hexadecimal digits follow.
  public func makeLockedFolder(_ prefix: String) throws(SystemCallFailure) -> (name: String, folder: Folder) {
    while true {
      let digits = String(UInt32.random(in: .min ... .max), radix: 16)
      let name = prefix + String(repeating: "0", count: 8 - digits.count) + digits
      try makeFolder(name)
      let made = try folder(name)
      let isTaken = flock(made.number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      // Where another process took it for abandoned in the moment before, begin again.
      if !isTaken, made.isThere { return (name, made) }
      removeAll(name)
    }
  }

  /// Takes the lock on the folder itself, which goes with the object.
  /// - Returns: whether no process holds it.
  public func lockAlone() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

  // MARK: Changing

  /// Gives a file or folder another name, in one step. What has that name is replaced, a link itself.
  public func rename(_ name: String, to target: Folder, as newName: String) throws(SystemCallFailure) {
    for name in [name, newName] { try Self.requireName(name) }
    guard renameat(number, name, target.number, newName) == 0 else {
      throw SystemCallFailure(call: "rename", code: errno)
    }
  }

  /// The same where nothing has the new name. A folder never replaces more than an empty folder, whatever takes the name
  /// meanwhile; for files, `link` is as safe.
  /// - Throws: with the code `EEXIST` where something has it.
  public func renameWithoutReplacing(
    _ name: String, to target: Folder, as newName: String
  ) throws(SystemCallFailure) {
    guard target.status(of: newName) == nil else { throw SystemCallFailure(call: "rename", code: EEXIST) }
    do throws(SystemCallFailure) {
      try rename(name, to: target, as: newName)
    } catch {
      let isInTheWay = [ENOTEMPTY, ENOTDIR, EISDIR].contains(error.code)
      throw isInTheWay ? SystemCallFailure(call: "rename", code: EEXIST) : error
    }
  }

  /// Gives a file a second name, or, where the file system has no second names, another.
  /// - Throws: with the code `EEXIST` where something has it.
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
  public func removeAll(_ name: String) {
    if (try? remove(name)) != nil { return }
    if let inner = try? folder(name) { for name in inner.names() { inner.removeAll(name) } }
    try? removeFolder(name)
  }

  /// Removes a file or folder that a killed process has left: no process holds its lock.
  public func removeAbandoned(_ name: String) {
    guard let status = status(of: name), status.isFile || status.isFolder,
      let opened = try? open(name, O_RDONLY | O_NONBLOCK)
    else { return }
    if flock(opened, LOCK_EX | LOCK_NB) == 0 { removeAll(name) }
    close(opened)
  }

  /// Copies a file, its permissions and its time. The disk may not have it yet.
  /// - Throws: with the code `EEXIST` where something has the new name; nothing is left there then.
  public func copy(_ name: String, to target: Folder, as newName: String) throws(SystemCallFailure) {
    let source = FileDescriptor(owning: try openFile(name, O_RDONLY))
    let copy = FileDescriptor(owning: try target.openFile(newName, O_WRONLY | O_CREAT | O_EXCL))
    do throws(SystemCallFailure) {
      let status = try source.status()
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
      defer { piece.deallocate() }
      var offset: Int64 = 0
      while true {
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

  /// Notes that a file has been used. Where that is not allowed, the order of use is a little less true.
  public func touch(_ name: String) {
    if (try? Self.requireName(name)) != nil { utimensat(number, name, nil, AT_SYMLINK_NOFOLLOW) }
  }

  /// Waits until the disk has its list of names.
  public func sync() throws(SystemCallFailure) { try FileDescriptor.sync(number) }

  /// Waits until the disk has all that is in it, and in the folders in it. Links are not followed.
  public func syncTree() throws(SystemCallFailure) {
    for name in names() {
      guard let status = status(of: name) else { continue }
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

  private func isSame(_ other: stat) -> Bool {
    (try? status()).map { $0.st_ino == other.st_ino && $0.st_dev == other.st_dev } ?? false
  }

  /// Whether it still has a name anywhere.
  var isThere: Bool { (try? status()).map { $0.st_nlink > 0 } ?? false }

  /// A path is no name: it could lead anywhere.
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
