import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

extension Session {
  /// The place of a file, or of a folder of files, that the user names to be written. Every command that writes one
  /// asks here before it does anything else.
  /// - Parameters:
  ///   - path: absolute, or relative to the current folder.
  ///   - isFolder: whether a folder of files is to be there.
  /// - Throws: `Failure` of kind `cannotCreate`, if it lies among the files of a project, would replace a medium of
  ///   this one, or is a folder and is to be a file.
  @discardableResult
  package func outputPlace(_ path: String, isFolder: Bool = false) throws -> Place {
    try failing {
      let place = Place(path: URL(fileURLWithPath: path).standardizedFileURL.path)
      for found in PathInProject.all(of: place, own: folder) { try found.requireFree() }
      var status = stat()
      if !isFolder, stat(place.path, &status) == 0, status.isFolder {
        throw AudioFileWriteError.notAFile(path: place.path, kind: "a folder")
      }
      if let path = try medium(at: place) {
        throw Failure(
          .cannotCreate, code: "mediumInUse",
          "'\(path)' is a medium of the project or of its history, which would be lost. Nothing was written.",
          hint: "Choose another name.")
      }
      return place
    }
  }

  /// The path at this place, or in the folder at it, that is a medium of the project or of its history; `nil` if there
  /// is none.
  private func medium(at place: Place) throws -> String? {
    var names: [String] = []
    do throws(SystemCallFailure) {
      names = try place.open().readNames()
    } catch {
      // In a file, or a folder that may not be read, no file is replaced. Any other folder may hold media.
      guard Cleaning.isNoFolder(error) || [EACCES, EPERM].contains(error.code) else {
        throw AudioFileWriteError.system(path: place.path, failure: error)
      }
    }
    let paths = [place.path] + names.map { place.appending($0).path }
    let files = paths.map { (path: $0, identities: FileIdentity.all(at: $0)) }.filter { !$0.identities.isEmpty }
    guard !files.isEmpty else { return nil }
    let media = try mediaFiles().reduce(into: Set<FileIdentity>()) { $0.formUnion(FileIdentity.all(at: $1)) }
    return files.first { !$0.identities.isDisjoint(with: media) }?.path
  }

  /// The paths of the media of the project and its history, and of what was recorded outside of its folder.
  private func mediaFiles() throws -> [String] {
    // Where the history cannot be read, what the project has now counts.
    let named = try (try? store.mediaPathsInHistory()) ?? mediaPaths()
    let takes = named.filter { $0.hasPrefix("/") && TakeManifest.isNamed($0) }
    let segments = takes.flatMap { (try? TakeManifest.files(of: $0)) ?? [] }
    let spilled = try read { try $0.recordings.spilledPaths() }
    return named.map { URL(fileURLWithPath: folder.absolute($0)).standardizedFileURL.path } + segments + spilled
  }

  private func mediaPaths() throws -> Set<String> {
    let locations = try read { view in try view.audioFiles().map(\.location) + view.soundFonts().map(\.location) }
    return Set(locations.map(\.path) + locations.compactMap(\.relativePath))
  }
}

extension ProjectFolder {
  /// Refuses a new project among files that `clean` removes.
  /// - Throws: `Failure` of kind `cannotCreate`.
  func requireKept() throws {
    for found in PathInProject.all(of: Place(path: path), own: nil) { try found.requireKept() }
  }
}

/// A path in the folder of a project.
private struct PathInProject {
  let place: Place
  let project: ProjectFolder
  /// Whether it is the project that the user works with.
  let isOwn: Bool
  /// The names from the project's folder on, at least one.
  let names: [String]

  /// A place as it is named, and as links on the way to its last name lead to it: those of the two paths that lie in a
  /// project.
  static func all(of place: Place, own: ProjectFolder?) -> [PathInProject] {
    guard !place.name.isEmpty else { return [] }
    var paths = [place.path]
    if let resolved = realpath(place.parent.path, nil) {
      let folder = String(cString: resolved)
      free(resolved)
      paths.append(folder == "/" ? "/" + place.name : folder + "/" + place.name)
    }
    return Set(paths).compactMap { nearest(around: $0, place, own: own) }
  }

  /// - Returns: `nil` for a path in no project.
  private static func nearest(around path: String, _ place: Place, own: ProjectFolder?) -> PathInProject? {
    let ownIdentities = own.map { FileIdentity.all(at: $0.path) } ?? []
    var folder = path
    var names: [String] = []
    while folder != "/", folder.hasPrefix("/") {
      names.insert((folder as NSString).lastPathComponent, at: 0)
      folder = Path.folder(of: folder)
      let project = ProjectFolder(path: folder)
      let isOwn = !ownIdentities.isDisjoint(with: FileIdentity.all(at: folder))
      if isOwn || project.isProject {
        return PathInProject(place: place, project: project, isOwn: isOwn, names: names)
      }
    }
    return nil
  }

  /// Whether a file of the user's may be there: in `Bounces/` of any project; in the user's own project also beside the
  /// project's files and folders, under another name.
  private var isFree: Bool {
    if names.count > 1, names[0] == ProjectDraft.bounces { return true }
    let name = names[0].lowercased()
    return isOwn && !name.hasPrefix(".") && !name.hasPrefix(ProjectDraft.databaseFile)
      && !ProjectDraft.folders.contains { $0.lowercased() == name }
  }

  /// - Throws: `Failure`, unless a file of the user's may be there.
  func requireFree() throws {
    guard !isFree else { return }
    throw Failure(
      .cannotCreate, code: "projectFile",
      "'\(place.path)' lies among the files of the project '\(project.path)'. Nothing was written.",
      hint: "Name a file outside of the project, or in '\(project.bounces)'.")
  }

  /// - Throws: `Failure`, if `clean` would remove what is there.
  func requireKept() throws {
    guard names.count > 1, names[0] != ProjectDraft.bounces, ProjectDraft.folders.contains(names[0]) else { return }
    throw Failure(
      .cannotCreate, code: "projectFile",
      "'\(place.path)' lies among the files of the project '\(project.path)', which 'daw clean' would remove. "
        + "Nothing was made.",
      hint: "Choose a place outside of that project.")
  }
}
