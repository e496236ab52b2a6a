import Glibc

/// A folder of what can be made again: copies of media at other rates (`*.wav`) and peaks (`*.peaks`), and in
/// `renders/` what instruments played (`*.render`). The time of a file's last use is that of its modification.
public struct CacheFolder: Sendable {
  public let place: Place

  public init(_ place: Place) { self.place = place }

  /// Where instruments' renders are kept.
  public var renders: Place { place.appending("renders") }

  private struct Entry {
    var folder: Folder
    var name: String
    var byteCount: Int64
    /// Nanoseconds since 1970.
    var lastUse: Int64
  }

  /// Brings the folder down to its limit, and removes what killed processes have left half done. What was used longest
  /// ago goes first. Does nothing while anybody works with the folder: whoever is the last to end does it.
  /// - Parameter byteLimit: bytes on the disk; 0 leaves nothing.
  public func clear(downTo byteLimit: Int64) {
    guard let use = FolderUse.exclusive(place), let folder = try? place.open() else { return }
    defer { withExtendedLifetime(use) {} }
    for name in folder.names() where Self.isPassing(name) { folder.removeAbandoned(name) }
    let renders = try? renders.open()
    let entries = Self.entries(in: folder) + (renders.map(Self.entries) ?? [])
    var byteCount = entries.reduce(0) { $0 + $1.byteCount }
    for entry in entries.sorted(by: { ($0.lastUse, $0.name) < ($1.lastUse, $1.name) }) where byteCount > byteLimit {
      if (try? entry.folder.remove(entry.name)) != nil { byteCount -= entry.byteCount }
    }
  }

  /// What is there only while somebody works: under somebody's use of the folder, or under a lock of its own, as peaks are
  /// when a file is imported.
  public static func isPassing(_ name: String) -> Bool {
    name.hasPrefix(".") && (name.contains(".partial-") || name.hasSuffix(".lock") || name.hasPrefix(scratchPrefix))
  }

  /// Whether a file of this name is one that is kept here, or in `renders/`.
  public static func isKept(_ name: String) -> Bool {
    !name.hasPrefix(".") && [".wav", ".peaks", ".render"].contains(where: name.hasSuffix)
  }

  /// What the names of files and folders begin with that are there only while somebody works.
  public static let scratchPrefix = ".scratch-"

  private static func entries(in folder: Folder) -> [Entry] {
    folder.names().filter(isKept).compactMap { name in
      guard let status = folder.status(of: name), status.isFile else { return nil }
      return Entry(
        folder: folder, name: name, byteCount: Int64(status.st_blocks) * 512,
        lastUse: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
    }
  }
}
