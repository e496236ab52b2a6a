import DAWErrors
import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// A project found below a folder.
public struct FoundProject: Sendable {
  public var folder: ProjectFolder
  /// The project's header, or the reason why it cannot be opened.
  public var header: Result<ProjectView.Header, Failure>
}

/// Finds projects below folders.
public enum RecentProjects {
  public enum Order: String, CaseIterable, Sendable { case modified, created, name }

  /// Newest first, or by name; projects that cannot be opened come last. Only those are opened whose files have changed
  /// since they were found last.
  /// - Parameters:
  ///   - folders: searched recursively, except hidden folders and projects.
  ///   - cache: the folder in which the headers are kept.
  /// - Throws: `Failure` if a path does not exist, or is not a folder.
  public static func find(
    below folders: [String], by order: Order, cache: Place = Place(root: UserFolders.cache())
  ) throws -> [FoundProject] {
    var known = KnownProjects(in: cache)
    let found = try self.folders(below: folders).map { folder in
      if let header = known.header(of: folder) { return FoundProject(folder: folder, header: .success(header)) }
      let stamp = folder.fileStamp
      let header = Result {
        let session = try Session.open(folder)
        defer { session.close() }
        return try session.read { try $0.header() }
      }.mapError { Failure($0) }
      if case .success(let header) = header { known.note(header, of: folder, stamp: stamp) }
      return FoundProject(folder: folder, header: header)
    }
    known.save(found: found.map(\.folder), below: folders)
    return found.sorted { precedes($0, $1, by: order) }
  }

  /// The folders of the projects, by path.
  /// - Throws: as `find`.
  package static func folders(below folders: [String]) throws -> [ProjectFolder] {
    try requireFolders(folders, holding: "below which the projects are")
    return Set(folders.flatMap { projects(below: $0, depth: 0) }).sorted { $0.path < $1.path }
  }

  private static let greatestDepth = 32

  private static func projects(below path: String, depth: Int) -> [ProjectFolder] {
    let folder = ProjectFolder(path: path)
    if folder.isProject { return [folder] }
    guard depth < greatestDepth, let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return []
    }
    return names.filter { !$0.hasPrefix(".") }.flatMap { name in
      let child = folder.path + "/" + name
      var status = stat()
      // Links are not followed, since they could form a loop.
      guard lstat(child, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return [ProjectFolder]() }
      return projects(below: child, depth: depth + 1)
    }
  }

  private static func precedes(_ a: FoundProject, _ b: FoundProject, by order: Order) -> Bool {
    switch (try? a.header.get(), try? b.header.get()) {
    case (let a?, let b?):
      switch order {
      case .modified: (b.modifiedDate, a.settings.name.text) < (a.modifiedDate, b.settings.name.text)
      case .created: (b.createdDate, a.settings.name.text) < (a.createdDate, b.settings.name.text)
      case .name: (a.settings.name.key, a.createdDate) < (b.settings.name.key, b.createdDate)
      }
    case (_?, nil): true
    case (nil, _?): false
    case (nil, nil): a.folder.path < b.folder.path
    }
  }
}
