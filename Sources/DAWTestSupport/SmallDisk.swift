import Foundation

/// A file system of few bytes, in memory, at a folder of a test, until it is unmounted or let go.
public final class SmallDisk {
  public let path: String
  private var isMounted = true

  /// Whether this user may mount one, as in a container that is allowed to.
  public static let isPossible: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return withExtendedLifetime(folder) { (try? SmallDisk(at: folder.path("disk"), size: "64k")) != nil }
  }()

  public struct NotMounted: Error, CustomStringConvertible {
    public let description: String
  }

  /// - Parameters:
  ///   - path: of the folder, which is made if it is missing.
  ///   - size: as of tmpfs(5): "6m".
  public init(at path: String, size: String) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else {
      throw NotMounted(description: "'\(path)' could not be mounted: \(String(cString: strerror(errno)))")
    }
    self.path = path
  }

  deinit { unmount() }

  /// Files on it that are open stay usable.
  public func unmount() {
    guard isMounted else { return }
    isMounted = false
    umount2(path, Int32(MNT_DETACH))
  }

  /// Bytes that can still be written; 0 where that cannot be asked for.
  public var freeByteCount: Int64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return 0 }
    return Int64(status.f_bavail) * Int64(status.f_frsize)
  }
}
