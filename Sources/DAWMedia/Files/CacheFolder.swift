import Glibc

/// A folder of what can be made again: copies of media at other rates (`*.wav`) and peaks (`*.peaks`), and in
/// `renders/` what instruments played (`*.render`). The time of a file's last use is that of its modification.
public struct CacheFolder: Sendable {
  public let path: String

  public init(path: String) { self.path = path }

  /// Where instruments' renders are kept.
  public var renders: String { Path.joining(path, "renders") }

  private struct Entry {
    var path: String
    var byteCount: Int64
    /// Nanoseconds since 1970.
    var lastUse: Int64
  }

  /// Brings the folder down to its limit, and removes what killed processes have left half done. What was used longest
  /// ago goes first. Does nothing while anybody works with the folder: whoever is the last to end does it.
  /// - Parameter byteLimit: bytes on the disk; 0 leaves nothing.
  public func clear(downTo byteLimit: Int64) {
    guard let use = FolderUse.exclusive(path) else { return }
    defer { withExtendedLifetime(use) {} }
    removeAbandoned()
    let entries = entries(in: path, [".wav", ".peaks"]) + entries(in: renders, [".render"])
    var byteCount = entries.reduce(0) { $0 + $1.byteCount }
    for entry in entries.sorted(by: { ($0.lastUse, $0.path) < ($1.lastUse, $1.path) }) where byteCount > byteLimit {
      if unlink(entry.path) == 0 { byteCount -= entry.byteCount }
    }
  }

  /// Notes that a file has been used. Where that is not allowed, the order of use is a little less true.
  static func touch(_ path: String) { utimensat(AT_FDCWD, path, nil, 0) }

  /// Hidden files and folders that are made under somebody's use of the folder, which nobody has now; or under a lock of
  /// their own, as peaks are when a file is imported.
  private func removeAbandoned() {
    for name in Path.names(in: path) where Self.isPassing(name) {
      let hidden = Path.joining(path, name)
      guard let file = try? FileDescriptor.opening(hidden, O_RDONLY | O_NONBLOCK | O_NOFOLLOW),
        flock(file.number, LOCK_EX | LOCK_NB) == 0
      else { continue }
      Path.removeAll(hidden)
    }
  }

  private static func isPassing(_ name: String) -> Bool {
    name.hasPrefix(".") && (name.contains(".partial-") || name.hasSuffix(".lock") || name.hasPrefix(scratchPrefix))
  }

  /// What the names of files and folders begin with that are there only while somebody works.
  public static let scratchPrefix = ".scratch-"

  private func entries(in folder: String, _ endings: [String]) -> [Entry] {
    Path.names(in: folder).filter { name in !name.hasPrefix(".") && endings.contains(where: name.hasSuffix) }
      .compactMap { name in
        let path = Path.joining(folder, name)
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Entry(
          path: path, byteCount: Int64(status.st_blocks) * 512,
          lastUse: Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec))
      }
  }
}
