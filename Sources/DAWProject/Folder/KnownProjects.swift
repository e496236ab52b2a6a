import DAWMedia
import DAWModel
import DAWStore
import Foundation

/// The headers of projects as they were read last, so that a list of many projects opens only those that have changed:
/// `projects.json` in the user's cache. It can be made again at any time.
struct KnownProjects {
  private struct Entry: Codable, Equatable {
    /// `ProjectFolder.fileStamp` when the header was read.
    var stamp: String
    var id: ProjectID
    var created: Timestamp
    var modified: Timestamp
    var revision: Int64
    var settings: ProjectSettings
  }

  private struct Content: Codable {
    var version: Int
    /// By the path of the project's folder.
    var projects: [String: Entry]
  }

  private var entries: [String: Entry]
  private var hasChanged = false

  /// To be raised when an entry, or what is in one, changes.
  private static let version = 1
  private static let maximumByteCount = 64 << 20
  private static let maximumCount = 20_000

  private let place: Place

  /// Empty if there is no such file, or none of this version.
  /// - Parameter cache: the folder of the file.
  init(in cache: Place) {
    place = cache.appending("projects.json")
    let path = place.path
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumByteCount,
      let bytes = FileManager.default.contents(atPath: path),
      let content = try? JSONDecoder().decode(Content.self, from: bytes), content.version == Self.version
    else {
      entries = [:]
      return
    }
    entries = content.projects
  }

  /// The header of a project whose file is as it was when that was read.
  func header(of folder: ProjectFolder) -> ProjectView.Header? {
    guard let entry = entries[folder.path], entry.stamp == folder.fileStamp,
      [entry.created, entry.modified].allSatisfy(Timestamp.accepted.contains), entry.revision >= 0,
      (try? entry.settings.validate()) != nil
    else { return nil }
    return ProjectView.Header(
      id: entry.id, createdDate: entry.created, modifiedDate: entry.modified, revision: entry.revision,
      settings: entry.settings)
  }

  /// - Parameter stamp: of the project's file before it was read.
  mutating func note(_ header: ProjectView.Header, of folder: ProjectFolder, stamp: String) {
    let entry = Entry(
      stamp: stamp, id: header.id, created: header.createdDate, modified: header.modifiedDate,
      revision: header.revision, settings: header.settings)
    guard entries[folder.path] != entry else { return }
    entries[folder.path] = entry
    hasChanged = true
  }

  /// Forgets the projects below some folders that are not there any more, and writes the file if anything has changed.
  /// Errors are ignored: the headers are read again next time.
  mutating func save(found: [ProjectFolder], below folders: [String]) {
    let found = Set(found.map(\.path))
    let roots = folders.map { ProjectFolder(path: $0).path }.map { $0 == "/" ? $0 : $0 + "/" }
    let gone = entries.keys.filter { path in
      !found.contains(path) && roots.contains { (path + "/").hasPrefix($0) }
    }
    for path in gone { entries[path] = nil }
    guard hasChanged || !gone.isEmpty else { return }
    if entries.count > Self.maximumCount { entries = entries.filter { found.contains($0.key) } }
    guard let bytes = try? JSONEncoder().encode(Content(version: Self.version, projects: entries)) else { return }
    try? place.makeRoot()
    try? writeWholeFile([UInt8](bytes), at: place, replaces: true, mode: 0o600)
  }
}
