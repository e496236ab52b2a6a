import DAWErrors
import DAWMedia
import Foundation

/// A project's folder, `Song.daw/`, and the paths in it.
public struct ProjectFolder: Hashable, Sendable {
  /// Absolute, without a trailing slash.
  public let path: String

  /// - Parameter path: relative to the current folder, or absolute.
  public init(path: String) {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    self.path = url.path == "/" ? "/" : url.path
  }

  /// The folder of a new project.
  /// - Parameter path: as it was typed; `.daw` is appended if missing, and a trailing slash is removed.
  public init(toMake path: String) {
    let folder = ProjectFolder(path: path)
    self = folder.path.hasSuffix(Self.ending) ? folder : ProjectFolder(path: folder.path + Self.ending)
  }

  public static let ending = ".daw"

  public var database: String { path + "/project.sqlite" }
  /// Media that belong to the project.
  public var audio: String { path + "/Audio" }
  /// Copies of media that are incomplete, or not yet part of a committed edit.
  public var incoming: String { path + "/Audio/.incoming" }
  /// Peaks, resampled copies, renders: may be deleted at any time.
  public var cache: String { path + "/Cache" }
  public var bounces: String { path + "/Bounces" }
  public var backups: String { path + "/Backups" }

  /// The folder's name without its ending.
  public var name: String {
    let last = (path as NSString).lastPathComponent
    return last.hasSuffix(Self.ending) && last.count > Self.ending.count
      ? String(last.dropLast(Self.ending.count)) : last
  }

  /// Whether there is a project file in it.
  public var isProject: Bool { FileManager.default.fileExists(atPath: database) }

  /// The nearest folder above it that is a project.
  public var enclosingProject: ProjectFolder? {
    let parent = (path as NSString).deletingLastPathComponent
    if parent == path || parent.isEmpty { return nil }
    let folder = ProjectFolder(path: parent)
    return folder.isProject ? folder : folder.enclosingProject
  }

  /// The path of an entry, for writing and deleting. The strings above are for reading and for messages.
  package func place(_ names: String...) -> Place { Place(root: path, names) }

  /// Opens a folder of the project for writing; creates it if missing.
  /// - Parameters:
  ///   - state: the last sentence of the error's message: "Nothing was changed."
  ///   - way: what to do if the folder is a link, as the end of a sentence.
  ///   - isPrivate: whether the names in it are its user's alone; see `Place.makePrivate`.
  /// - Throws: `Failure` of kind `cannotCreate`.
  package func openToWrite(
    _ place: Place, state: String, orElse way: String, isPrivate: Bool = false
  ) throws -> Folder {
    do throws(SystemCallFailure) {
      return isPrivate ? try place.makePrivate() : try place.make()
    } catch  where error.code == ELOOP {
      throw Failure(
        .cannotCreate, code: "symbolicLink",
        "'\(place.path)' is a link, or leads through one, and nothing is written through a link. \(state)",
        hint: "Put a folder in its place, or \(way).")
    } catch {
      throw Failure(
        .cannotCreate, code: "cannotCreate",
        "The folder '\(place.path)' could not be made: \(String(cString: strerror(error.code))). \(state)",
        hint: "Check its permissions and the free space.")
    }
  }

  /// Changes whenever the project file does: inode, size and time of the file and of its write-ahead log.
  package var fileStamp: String {
    [database, database + "-wal"].map { path in
      var status = stat()
      guard stat(path, &status) == 0 else { return "-" }
      return "\(status.st_ino):\(status.st_size):\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }.joined(separator: " ")
  }

  /// The absolute path of a medium.
  /// - Parameter mediumPath: relative to this folder, or absolute.
  public func absolute(_ mediumPath: String) -> String {
    mediumPath.hasPrefix("/") ? mediumPath : path + "/" + mediumPath
  }
}
