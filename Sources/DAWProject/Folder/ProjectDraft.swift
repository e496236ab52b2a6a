import DAWErrors
import DAWMedia
import Foundation

/// A project folder under construction. It is hidden beside its final name, as `.NAME.new-XXXXXXXX`, and renamed when
/// it is complete and on the disk. It is removed by `discard`; if the process was killed, when the next project is
/// created in the same parent folder.
struct ProjectDraft {
  let folder: ProjectFolder
  private let final: ProjectFolder
  private let parent: Folder
  private let name: String
  /// Locked while the process lives, which distinguishes a draft from an abandoned one.
  private let made: Folder

  /// Creates the folder and its subfolders.
  /// - Parameter source: the project that it is made of. It allows others no more than that one does.
  /// - Throws: `Failure` if the final name exists already or lies among another project's media, or the folder cannot
  ///   be created.
  init(of final: ProjectFolder, like source: ProjectFolder? = nil) throws {
    self.final = final
    try final.requireKept()
    parent = try Self.openParent(of: final)
    Self.removeAbandoned(in: parent)
    var shown = Substring(Self.finalName(of: final))
    // The whole name must not exceed 255 bytes.
    while shown.utf8.count > 200 { shown.removeLast() }
    do throws(SystemCallFailure) {
      (name, made) = try parent.makeLockedFolder(".\(shown)\(Self.mark)", mode: Self.mode(like: source))
    } catch {
      throw Self.failure(final, error)
    }
    folder = ProjectFolder(path: parent.path + "/" + name)
    do throws(SystemCallFailure) {
      for name in Self.folders { try made.makeFolder(name) }
      try made.makeFile(Self.ignoreFile, Array(Session.ignored.utf8))
    } catch {
      discard()
      throw Self.failure(final, error)
    }
  }

  /// Syncs the folder and renames it to its final name, unless that exists by now.
  /// - Parameter isInterrupted: asked when it is synced; true ends it.
  /// - Throws: `Failure`; with the code `notOnDisk` if it was renamed, but syncing the parent folder failed.
  func putInPlace(_ isInterrupted: () -> Bool = { false }) throws {
    do throws(SystemCallFailure) {
      try made.syncTree()
    } catch {
      throw Self.failure(final, error)
    }
    if isInterrupted() { throw Self.interrupted }
    do throws(SystemCallFailure) {
      try parent.renameWithoutReplacing(name, to: parent, as: Self.finalName(of: final))
    } catch {
      throw Self.failure(final, error)
    }
    do throws(SystemCallFailure) {
      try parent.sync()
    } catch {
      throw Failure(
        .io, code: "syncFailed",
        "'\(final.path)' is made, and is whole; but its disk does not confirm that it keeps it: "
          + "\(String(cString: strerror(error.code))).", hint: "Check the disk, then the project with 'daw check'.")
    }
  }

  func discard() { parent.removeAll(name) }

  static var interrupted: Failure { Failure(.interrupted, code: "interrupted", "Interrupted. Nothing was made.") }

  private static let mark = ".new-"
  static let folders = ["Audio", "Cache", bounces, "Backups"]
  /// The only folder in which files of the user's own are written.
  static let bounces = "Bounces"
  private static let ignoreFile = ".gitignore"
  static let databaseFile = "project.sqlite"

  /// Removes drafts of processes that were killed, which hold no lock. On file systems without locks, keeps them.
  private static func removeAbandoned(in parent: Folder) {
    for name in parent.names() where isDraft(name) {
      // One that cannot be listed may be the user's own.
      guard let draft = try? parent.folder(name), let parts = try? draft.readNames(), parts.allSatisfy(isPart),
        draft.lockAlone()
      else { continue }
      parent.removeAll(name)
    }
  }

  private static func isDraft(_ name: String) -> Bool {
    guard name.hasPrefix("."), let place = name.range(of: mark, options: .backwards) else { return false }
    let digits = name[place.upperBound...]
    return digits.count == RandomDigits.count && digits.allSatisfy(\.isHexDigit)
  }

  /// Whether a draft contains an entry of this name; folders with other entries are the user's own.
  private static func isPart(_ name: String) -> Bool {
    folders.contains(name) || name == ignoreFile || name.hasPrefix(databaseFile) || name.hasPrefix("." + databaseFile)
  }

  /// What it may allow at most; what the process may make at all, the umask, is taken away from that.
  private static func mode(like source: ProjectFolder?) -> mode_t {
    var status = stat()
    guard let source, stat(source.path, &status) == 0 else { return 0o777 }
    return Folder.mode(0o777, noWiderThan: status.st_mode)
  }

  private static func finalName(of final: ProjectFolder) -> String { (final.path as NSString).lastPathComponent }

  private static func openParent(of final: ProjectFolder) throws -> Folder {
    let path = (final.path as NSString).deletingLastPathComponent
    let parent: Folder
    do throws(SystemCallFailure) {
      parent = try Folder(path: path)
    } catch  where error.code == ENOENT || error.code == ENOTDIR {
      throw Failure(
        .cannotCreate, code: "folderNotFound", "There is no folder '\(path)' to make the project in.",
        hint: "Make it first: mkdir -p '\(path)'")
    } catch {
      throw failure(final, error)
    }
    guard parent.status(of: finalName(of: final)) == nil else { throw exists(final) }
    return parent
  }

  private static func failure(_ final: ProjectFolder, _ error: SystemCallFailure) -> Failure {
    if error.code == EEXIST { return exists(final) }
    return Failure(
      .cannotCreate, code: "cannotCreate",
      "The folder '\(final.path)' could not be made: '\(error.call)' failed with "
        + "\"\(String(cString: strerror(error.code)))\". Nothing was changed.",
      hint: "Check the permissions of the folder around it and the free space, or choose another place.")
  }

  private static func exists(_ final: ProjectFolder) -> Failure {
    Failure(
      .cannotCreate, code: "alreadyExists", "'\(final.path)' exists already. It was not touched.",
      hint: "Choose another name, or remove it first.")
  }
}

extension Session {
  /// Runs `body` after a new project was put in place: the messages of its errors must not say that nothing was
  /// changed.
  /// - Throws: `Failure`.
  public static func afterMaking<T>(_ folder: ProjectFolder, _ body: () throws -> T) throws -> T {
    do { return try body() } catch {
      var failure = Failure(error)
      let reason = failure.message.replacingOccurrences(of: " Nothing was changed.", with: "")
      failure.message = "'\(folder.path)' is made, and is whole; but it could not be read then. \(reason)"
      throw failure
    }
  }
}
