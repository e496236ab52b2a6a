import DAWMedia
import Foundation

/// A project folder that is being made: it lies hidden beside its final name, as `.NAME.new-XXXXXXXX`, and gets that name
/// only when it is whole. It goes away by `discard`, and where the process ended before, when a project of the same name is
/// made next.
struct ProjectDraft {
  let folder: ProjectFolder
  private let final: ProjectFolder
  /// Had alone as long as the process lives: it tells a draft from one that was abandoned.
  private let use: FolderUse?

  /// Makes the folder, with the folders in it.
  /// - Throws: `Failure` where something has the final name already, or the folder cannot be made.
  init(of final: ProjectFolder) throws {
    try Self.requireNothing(at: final)
    let parent = (final.path as NSString).deletingLastPathComponent
    var name = Substring((final.path as NSString).lastPathComponent)
    // Together with what is added it must stay within the 255 bytes of a name.
    while name.utf8.count > 200 { name.removeLast() }
    let prefix = ".\(name).new-"
    Self.removeAbandoned(prefix, in: parent)
    self.final = final
    (folder, use) = try Self.make(parent + "/" + prefix, of: final)
    do {
      for path in [folder.audio, folder.cache, folder.bounces, folder.backups] { try Self.makeFolder(path) }
      try Data(Session.ignored.utf8).write(to: URL(fileURLWithPath: folder.gitignore))
    } catch {
      discard()
      throw Self.failure(final, error)
    }
  }

  /// Gives it its final name, unless somebody took that meanwhile.
  func putInPlace() throws {
    guard rename(folder.path, final.path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Failure(.cannotCreate, code: "cannotCreate", "'\(final.path)' could not be made: \(reason).")
    }
    use?.end()
  }

  func discard() { try? FileManager.default.removeItem(atPath: folder.path) }

  private static func make(_ prefix: String, of final: ProjectFolder) throws -> (ProjectFolder, FolderUse?) {
    while true {
      let folder = ProjectFolder(path: prefix + UUID().uuidString.prefix(8))
      do { try makeFolder(folder.path) } catch { throw failure(final, error) }
      let use = FolderUse.exclusive(folder.path)
      // Where another process took it for abandoned in the moment before, begin again.
      if access(folder.path, F_OK) == 0 { return (folder, use) }
    }
  }

  /// What processes that were ended have left: nobody works in it. Where the file system has no locks it stays.
  private static func removeAbandoned(_ prefix: String, in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) && isOurs(name.dropFirst(prefix.count)) {
      guard let use = FolderUse.exclusive(parent + "/" + name) else { continue }
      try? FileManager.default.removeItem(atPath: parent + "/" + name)
      use.end()
    }
  }

  private static func isOurs(_ ending: Substring) -> Bool { ending.count == 8 && ending.allSatisfy(\.isHexDigit) }

  private static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  private static func failure(_ final: ProjectFolder, _ error: any Error) -> Failure {
    Failure(
      .cannotCreate, code: "cannotCreate",
      "'\(final.path)' could not be made: \((error as NSError).localizedDescription)",
      hint: "Check the folder's permissions and the free space.")
  }

  private static func requireNothing(at folder: ProjectFolder) throws {
    var status = stat()
    guard lstat(folder.path, &status) != 0 else {
      throw Failure(
        .cannotCreate, code: "exists", "'\(folder.path)' exists already. It was not touched.",
        hint: "Choose another name, or remove it first.")
    }
    let parent = (folder.path as NSString).deletingLastPathComponent
    guard access(parent, F_OK) == 0 else {
      throw Failure(
        .cannotCreate, code: "folderNotFound", "There is no folder '\(parent)' to make the project in.",
        hint: "Make it first: mkdir -p '\(parent)'")
    }
  }
}
