import Glibc

/// An atomic write of a folder of files: it has a hidden temporary name, `.NAME.partial-XXXXXXXX`, until it is
/// complete. It is removed with its last reference; one left by a killed process is removed when a folder of the same
/// name is made next. Used by one thread at a time.
public final class PartialFolder {
  /// The final path, for messages.
  public let path: String
  /// The temporary folder, in which files are made.
  public let partial: Place
  private let parent: Folder
  private let name: String
  private let partialName: String
  /// Locked as long as the process lives, to tell it from an abandoned folder.
  private let folder: Folder
  private let place: Place
  private let replaces: Bool
  private let replaceableEnding: String
  private var isPending = true

  /// - Parameter replaces: whether an existing folder is replaced if it only has files with the extension
  ///   `replaceableEnding`; an empty one always is.
  /// - Throws: `.exists`, `.isLink` if something else has the name; errors of making a folder.
  public init(at place: Place, replaces: Bool, replaceableEnding: String) throws(AudioFileWriteError) {
    path = place.path
    name = place.name
    self.place = place
    self.replaces = replaces
    self.replaceableEnding = replaceableEnding
    // For "/" or "..".
    if place.name.isEmpty { throw .exists(path: place.path) }
    do throws(SystemCallFailure) {
      parent = try place.parent.open()
    } catch {
      throw error.code == ELOOP ? .isLink(path: place.parent.path) : AudioFileWriteError(path: place.path, error)
    }
    var mode: mode_t = 0o777
    if let status = parent.status(of: place.name) {
      mode = Folder.mode(mode, noWiderThan: status.st_mode)
      if status.isLink { throw .isLink(path: place.path) }
      guard status.isFolder else { throw .exists(path: place.path) }
      try Self.requireNothingElse(in: place, replaces, replaceableEnding)
    }
    let prefix = Self.prefix(for: place.name)
    Self.removeAbandoned(prefix, in: parent, of: place.name, replaceableEnding)
    do throws(SystemCallFailure) {
      (partialName, folder) = try parent.makeLockedFolder(prefix, mode: mode)
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
    partial = place.parent.appending(partialName)
  }

  deinit { discard() }

  /// Gives the folder its final name. The disk must have the files in it already. A folder that had the name is
  /// removed, unless it holds something else by now.
  /// - Throws: `.leftBehind` where that could not be removed; `.holdsOtherThings`, and nothing is changed.
  public func commit() throws(AudioFileWriteError) {
    if replaces, parent.status(of: name)?.isFolder == true {
      do throws(AudioFileWriteError) {
        try Self.requireNothingElse(in: place, replaces, replaceableEnding)
      } catch {
        discard()
        throw error
      }
    }
    var former: String?
    do throws(SystemCallFailure) {
      do throws(SystemCallFailure) {
        // Replaces an empty folder, or none.
        try parent.rename(partialName, to: parent, as: name)
      } catch {
        let isInTheWay = error.code == ENOTEMPTY || error.code == EEXIST
        guard replaces, isInTheWay else {
          throw SystemCallFailure(call: "rename", code: isInTheWay ? EEXIST : error.code)
        }
        former = try takePlaceOfFormer()
      }
      isPending = false
      try parent.sync()
    } catch {
      discard()
      throw AudioFileWriteError(path: path, error)
    }
    if let former, let failure = Self.removeFormer(former, in: parent, replaceableEnding) {
      throw .leftBehind(path: path, leftover: Path.joining(parent.path, former), failure: failure)
    }
  }

  /// Removes it, unless it has its final name.
  public func discard() {
    guard isPending else { return }
    isPending = false
    parent.removeAll(partialName)
  }

  /// Removes it because a temporary file in it could not be removed.
  /// - Returns: the error to report.
  public func discard(after failure: SystemCallFailure) -> AudioFileWriteError {
    discard()
    if parent.status(of: partialName) == nil { return AudioFileWriteError(path: path, failure) }
    return .leftBehind(path: nil, leftover: partial.path, failure: failure)
  }

  /// - Returns: what the folder that had the name is called now. It is removed only when the disk has the new names, so
  ///   that a power cut leaves one of the two.
  private func takePlaceOfFormer() throws(SystemCallFailure) -> String {
    // Briefly there is no folder of that name, but never an incomplete one.
    let former = partialName + Self.formerMark
    try parent.rename(name, to: parent, as: former)
    do {
      try parent.rename(partialName, to: parent, as: name)
    } catch {
      try? parent.rename(former, to: parent, as: name)
      throw error
    }
    return former
  }

  private static let formerMark = "-former"

  private static func prefix(for finalName: String) -> String {
    var name = Substring(finalName)
    // With prefix and suffix, a name has at most 255 bytes.
    while name.utf8.count > 200 { name.removeLast() }
    return "." + name + ".partial-"
  }

  private static func requireNothingElse(
    in place: Place, _ replaces: Bool, _ ending: String
  ) throws(AudioFileWriteError) {
    let folder: Folder
    let names: [String]
    do throws(SystemCallFailure) {
      folder = try place.open()
      // One that cannot be listed may hold anything.
      names = try folder.readNames()
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
    guard names.isEmpty || replaces else { throw .exists(path: place.path) }
    let other = names.first { !isReplaceable($0, in: folder, ending) }
    if let other { throw .holdsOtherThings(path: place.path, name: other) }
  }

  private static func isReplaceable(_ name: String, in folder: Folder, _ ending: String) -> Bool {
    name.hasSuffix("." + ending) && folder.status(of: name)?.isFile == true
  }

  /// Removes a folder that was replaced. One that holds anything but files that may be replaced stays whole.
  /// - Returns: why it stays; `nil` where it does not.
  private static func removeFormer(_ former: String, in parent: Folder, _ ending: String) -> SystemCallFailure? {
    do throws(SystemCallFailure) {
      let folder = try parent.folder(former)
      let names = try folder.readNames()
      let isOwn = names.allSatisfy { isReplaceable($0, in: folder, ending) }
      guard isOwn else { return SystemCallFailure(call: "remove", code: ENOTEMPTY) }
    } catch {
      return error.code == ENOENT ? nil : error
    }
    return parent.removeAll(former)
  }

  /// Removes folders left by killed processes, recognised by their free locks.
  /// - Parameter name: the final name. A replaced folder gets it back if the name is free.
  private static func removeAbandoned(_ prefix: String, in parent: Folder, of name: String, _ ending: String) {
    for abandoned in parent.names() where abandoned.hasPrefix(prefix) {
      guard let folder = try? parent.folder(abandoned), folder.lockAlone() else { continue }
      guard abandoned.hasSuffix(formerMark) else {
        parent.removeAll(abandoned)
        continue
      }
      if parent.status(of: name) == nil {
        // Where that fails it stays: it may be the only one there is.
        try? parent.rename(abandoned, to: parent, as: name)
      } else {
        _ = removeFormer(abandoned, in: parent, ending)
      }
    }
  }
}
