import DAWMedia
import Glibc

/// The cache's folder.
struct RenderCacheFolder {
  /// `nil` if it does not exist, or is a link.
  private let folder: Folder?

  init(_ place: Place) { folder = try? place.open() }

  static let ending = ".render"

  private struct Entry {
    var name: String
    /// Nanoseconds since 1970.
    var lastUse: Int64
  }

  /// What a stage is called in the project.
  struct Stage: Hashable {
    var kind: RenderKind
    var trackID: Int64
  }

  /// The key of the newest render of each stage.
  func newestByStage() -> [Stage: RenderKey] {
    guard let folder else { return [:] }
    var newest: [Stage: RenderKey] = [:]
    for entry in entries(in: folder).sorted(by: { $0.lastUse < $1.lastUse }) {
      if let layout = CachedRender.layout(ofFile: entry.name, in: folder) {
        newest[Stage(kind: layout.kind, trackID: layout.trackID)] = layout.key
      }
    }
    return newest
  }

  /// Removes incomplete files of killed processes, recognised by their free locks.
  func removeAbandoned() {
    guard let folder else { return }
    for name in folder.names() where name.contains(Self.ending + RenderWriter.partialMark) {
      folder.removeAbandoned(name)
    }
  }

  func holds(_ name: String) -> Bool { folder?.status(of: name) != nil }

  /// Bytes that a file takes on disk, without holes.
  func byteCount(of name: String) -> Int64 { folder?.status(of: name).map { Int64($0.st_blocks) * 512 } ?? 0 }

  private func entries(in folder: Folder) -> [Entry] {
    folder.names().filter { $0.hasSuffix(Self.ending) }.compactMap { name in
      guard let status = folder.status(of: name), status.isFile else { return nil }
      return Entry(
        name: name, lastUse: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
  }
}
