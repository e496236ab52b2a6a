import Glibc

/// An atomic file write: the file has a hidden temporary name, `.NAME.partial-XXXXXXXX`, until it is complete and
/// flushed to disk. It is removed with its last reference; one left by a killed process is removed when a file of the
/// same name is made next. Used by one thread at a time.
final class PartialFile {
  /// The final path, for messages.
  let path: String
  private let folder: Folder
  private let name: String
  private let partialName: String
  /// The descriptor, for libraries; closed with this object.
  let number: Int32
  private let replaces: Bool
  private var isPending = true

  /// - Parameters:
  ///   - replaces: whether an existing file, or a link to one, is replaced. If not, it is an error, now and in
  ///     `commit`.
  ///   - mode: the file's. One that replaces a file allows others no more than that did.
  convenience init(at place: Place, replaces: Bool, mode: mode_t = 0o666) throws(AudioFileWriteError) {
    // For "/" or "..".
    if place.name.isEmpty { throw .notAFile(path: place.path, kind: "a folder") }
    let folder = try Self.folder(of: place)
    try Self.requireRoom(for: place, in: folder, replaces: replaces)
    Self.removeAbandoned([place.name], in: folder)
    try self.init(place, in: folder, replaces: replaces, mode: mode)
  }

  /// - Parameter folder: that of the place, in which there is room for the name.
  private init(_ place: Place, in folder: Folder, replaces: Bool, mode: mode_t) throws(AudioFileWriteError) {
    path = place.path
    name = place.name
    self.folder = folder
    self.replaces = replaces
    var mode = mode
    if replaces, let former = folder.status(of: place.name), former.isFile {
      mode = Folder.mode(mode, noWiderThan: former.st_mode)
    }
    do throws(SystemCallFailure) {
      (partialName, number) = try Self.create(in: folder, Self.prefix(of: place.name), mode)
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
  }

  /// Files of one folder, which replace those that are there. They are made with one look at the folder, and `commit`
  /// gives them their names with one flush.
  /// - Parameter names: none twice, none empty.
  static func several(
    named names: [String], in place: Place, mode: mode_t
  ) throws(AudioFileWriteError) -> [PartialFile] {
    guard let first = names.first else { return [] }
    let folder = try folder(of: place.appending(first))
    for name in names { try requireRoom(for: place.appending(name), in: folder, replaces: true) }
    removeAbandoned(names, in: folder)
    var files: [PartialFile] = []
    for name in names {
      files.append(try PartialFile(place.appending(name), in: folder, replaces: true, mode: mode))
    }
    return files
  }

  deinit {
    discard()
    close(number)
  }

  /// Gives the file its final name, once the disk has it.
  /// - Throws: `.leftBehind` where the file is there under both names.
  func commit() throws(AudioFileWriteError) {
    var notRemoved: SystemCallFailure?
    do throws(SystemCallFailure) {
      try FileDescriptor.sync(number)
      notRemoved = try giveName()
      try folder.sync()
    } catch {
      discard()
      throw AudioFileWriteError(path: path, error)
    }
    if let notRemoved {
      throw .leftBehind(path: path, leftover: Path.joining(folder.path, partialName), failure: notRemoved)
    }
  }

  /// The same for what `several` has made: the disk has all of them before the first gets its name. They are flushed by
  /// one call for the whole file system, which takes little longer than one file alone.
  static func commit(_ files: [PartialFile]) throws(AudioFileWriteError) {
    guard let first = files.first else { return }
    if files.count == 1 { return try first.commit() }
    do throws(SystemCallFailure) {
      try first.folder.syncFileSystem()
    } catch {
      throw AudioFileWriteError(path: first.folder.path, error)
    }
    for file in files {
      do throws(SystemCallFailure) { _ = try file.giveName() } catch {
        throw AudioFileWriteError(path: file.path, error)
      }
    }
    do throws(SystemCallFailure) { try first.folder.sync() } catch {
      throw AudioFileWriteError(path: first.folder.path, error)
    }
  }

  /// - Returns: why the temporary name could not be removed; `nil` if it is gone.
  private func giveName() throws(SystemCallFailure) -> SystemCallFailure? {
    var notRemoved: SystemCallFailure?
    if replaces {
      try folder.rename(partialName, to: folder, as: name)
    } else {
      notRemoved = try nameWithoutReplacing()
    }
    isPending = false
    return notRemoved
  }

  /// Removes it, unless it has its final name.
  func discard() {
    guard isPending else { return }
    isPending = false
    try? folder.remove(partialName)
  }

  /// - Returns: why the temporary name could not be removed; `nil` if it is gone.
  private func nameWithoutReplacing() throws(SystemCallFailure) -> SystemCallFailure? {
    // A second name for the file fails where there is one already, in one step; a rename would not.
    try folder.link(partialName, to: folder, as: name)
    do throws(SystemCallFailure) {
      try folder.remove(partialName)
    } catch {
      // Where there are no second names, it was renamed.
      return error.code == ENOENT ? nil : error
    }
    return nil
  }

  /// Only a file is replaced, or a link to a file or to nothing; the link itself is replaced.
  private static func requireRoom(
    for place: Place, in folder: Folder, replaces: Bool
  ) throws(AudioFileWriteError) {
    guard var status = folder.status(of: place.name) else { return }
    if status.isLink {
      // As with /dev/stdout: the target is open, and the link belongs to the system.
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

  private static func folder(of place: Place) throws(AudioFileWriteError) -> Folder {
    do throws(SystemCallFailure) {
      return try place.parent.open()
    } catch {
      throw error.code == ELOOP ? .isLink(path: place.parent.path) : AudioFileWriteError(path: place.path, error)
    }
  }

  /// Removes what killed processes have left of files with these names.
  private static func removeAbandoned(_ names: [String], in folder: Folder) {
    let prefixes = Set(names.map(prefix))
    for name in folder.names() where prefixes.contains(String(name.dropLast(RandomDigits.count))) {
      if folder.status(of: name)?.isFile == true { folder.removeAbandoned(name) }
    }
  }

  /// With prefix and digits, a name has at most 255 bytes.
  private static func prefix(of name: String) -> String { "." + shortened(name) + ".partial-" }

  private static func create(
    in folder: Folder, _ prefix: String, _ mode: mode_t
  ) throws(SystemCallFailure) -> (name: String, number: Int32) {
    while true {
      let name = prefix + RandomDigits.next()
      let number = try folder.openFile(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
      // Locked as long as the process lives, to tell it from an abandoned file. Another process may have removed it as
      // abandoned before it was locked: try again.
      var status = stat()
      let isTaken = flock(number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      let failure = fstat(number, &status) == 0 ? nil : SystemCallFailure(call: "stat", code: errno)
      if !isTaken, failure == nil, status.st_nlink > 0 { return (name, number) }
      close(number)
      try? folder.remove(name)
      if let failure { throw failure }
    }
  }

  private static func shortened(_ name: String) -> String {
    var name = Substring(name)
    while name.utf8.count > 200 { name.removeLast() }
    return String(name)
  }
}
