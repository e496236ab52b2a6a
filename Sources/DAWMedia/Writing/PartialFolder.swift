import Glibc

/// A folder of files that is being made: it lies hidden beside its final name, as `.NAME.partial-XXXXXX`, and gets that
/// name only when all of it is there. It goes away, with what is in it, with the last reference, and where the process was
/// killed, when a folder of the same name is made next. Used by one thread at a time.
public final class PartialFolder {
  /// The final path, for messages.
  public let path: String
  /// Where the files are made until then.
  public let partial: Place
  private let parent: Folder
  private let name: String
  private let partialName: String
  /// Locked as long as the process lives: it tells one in the making from one that was abandoned.
  private let folder: Folder
  private let replaces: Bool
  private var isPending = true

  /// - Parameter replaces: whether a folder of that name makes way, if it holds nothing but files that end as
  ///   `replaceableEnding` does; an empty one always does.
  /// - Throws: `.exists`, `.isLink` where something else has the name; what making a folder throws.
  public init(at place: Place, replaces: Bool, replaceableEnding: String) throws(AudioFileWriteError) {
    path = place.path
    name = place.name
    self.replaces = replaces
    // As of "/" or "..".
    if place.name.isEmpty { throw .exists(path: place.path) }
    do throws(SystemCallFailure) {
      parent = try place.parent.open()
    } catch {
      throw error.code == ELOOP ? .isLink(path: place.parent.path) : AudioFileWriteError(path: place.path, error)
    }
    if let status = parent.status(of: place.name) {
      if status.isLink { throw .isLink(path: place.path) }
      guard status.isFolder else { throw .exists(path: place.path) }
      try Self.requireNothingElse(in: place, replaces, replaceableEnding)
    }
    let prefix = Self.prefix(for: place.name)
    Self.removeAbandoned(prefix, in: parent, of: place.name)
    do throws(SystemCallFailure) {
      (partialName, folder) = try parent.makeLockedFolder(prefix)
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
    partial = place.parent.appending(partialName)
  }

  deinit { discard() }

  /// Gives the folder its final name. The disk must have the files in it already. A folder that had the name is removed.
  public func commit() throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      var former: String?
      do throws(SystemCallFailure) {
        // Over an empty folder, or none.
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
      if let former { parent.removeAll(former) }
    } catch {
      discard()
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Removes it, unless it has its final name already.
  public func discard() {
    guard isPending else { return }
    isPending = false
    parent.removeAll(partialName)
  }

  /// - Returns: what the folder that had the name is called now. It is removed only when the disk has the new names, so that
  ///   a power cut leaves one of the two.
  private func takePlaceOfFormer() throws(SystemCallFailure) -> String {
    // For a moment there is no folder of that name, and never half of one.
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
    // Together with what is added it must stay within the 255 bytes of a name.
    while name.utf8.count > 200 { name.removeLast() }
    return "." + name + ".partial-"
  }

  private static func requireNothingElse(
    in place: Place, _ replaces: Bool, _ ending: String
  ) throws(AudioFileWriteError) {
    let folder: Folder
    do throws(SystemCallFailure) {
      folder = try place.open()
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
    let names = folder.names()
    guard names.isEmpty || replaces else { throw .exists(path: place.path) }
    let other = names.first { !$0.hasSuffix("." + ending) || folder.status(of: $0)?.isFile != true }
    if let other { throw .holdsOtherThings(path: place.path, name: other) }
  }

  /// What killed processes have left: nobody holds its lock.
  /// - Parameter name: the final one. A folder that had it, and was to make way, gets it back where nothing has it.
  private static func removeAbandoned(_ prefix: String, in parent: Folder, of name: String) {
    for abandoned in parent.names() where abandoned.hasPrefix(prefix) {
      guard let folder = try? parent.folder(abandoned), folder.lockAlone() else { continue }
      if abandoned.hasSuffix(formerMark), parent.status(of: name) == nil,
        (try? parent.rename(abandoned, to: parent, as: name)) != nil
      {
        continue
      }
      parent.removeAll(abandoned)
    }
  }
}
