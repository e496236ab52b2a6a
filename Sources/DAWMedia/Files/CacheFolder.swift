import Glibc

/// A folder of files that can be made again: converted media (`*.wav`), peaks (`*.peaks`), hashes of media (`*.hash`),
/// the index of words that are searched (`search.sqlite`), and in `renders/` instrument renders (`*.render`). The
/// modification time is the time of last use.
public struct CacheFolder: Sendable {
  public let place: Place

  public init(_ place: Place) { self.place = place }

  /// The folder of instrument renders.
  public var renders: Place { place.appending("renders") }

  private struct Entry {
    var folder: Folder
    var name: String
    var byteCount: Int64
    /// Nanoseconds since 1970.
    var lastUse: Int64
  }

  /// Evicts the least recently used files down to a limit, and removes incomplete files of killed processes. Does
  /// nothing while another process uses the folder: the last one to finish does it.
  /// - Parameter byteLimit: bytes on disk; 0 removes everything.
  public func clear(downTo byteLimit: Int64) {
    guard let use = FolderUse.exclusive(place), let folder = try? place.open() else { return }
    defer { withExtendedLifetime(use) {} }
    for name in folder.names() where Self.isTemporary(name) { folder.removeAbandoned(name) }
    let renders = try? renders.open()
    let entries = Self.entries(in: folder) + (renders.map(Self.entries) ?? [])
    var byteCount = entries.reduce(0) { $0 + $1.byteCount }
    for entry in entries.sorted(by: { ($0.lastUse, $0.name) < ($1.lastUse, $1.name) }) where byteCount > byteLimit {
      if (try? entry.folder.remove(entry.name)) != nil { byteCount -= entry.byteCount }
    }
  }

  /// Whether a name is that of a temporary file: protected by a `FolderUse`, or by its own lock, as peaks are during an
  /// import.
  public static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && (name.contains(".partial-") || name.hasSuffix(".lock") || name.hasPrefix(scratchPrefix))
  }

  /// Whether a name is that of a cached file, here or in `renders/`.
  public static func isCached(_ name: String) -> Bool {
    !name.hasPrefix(".") && [".wav", ".peaks", ".hash", ".render"].contains(where: name.hasSuffix)
      || ["", "-wal", "-shm", "-journal"].contains { name == searchIndex + $0 }
  }

  /// The name of the index of words.
  public static let searchIndex = "search.sqlite"

  /// The prefix of temporary files and folders.
  public static let scratchPrefix = ".scratch-"

  private static func entries(in folder: Folder) -> [Entry] {
    folder.names().filter(isCached).compactMap { name in
      guard let status = folder.status(of: name), status.isFile else { return nil }
      return Entry(
        folder: folder, name: name, byteCount: Int64(status.st_blocks) * 512,
        lastUse: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
  }
}
