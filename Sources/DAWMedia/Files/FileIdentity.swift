import Glibc

/// Identifies a file by its device and inode, whatever its names are. A new file at the same path has another one.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  /// - Returns: that of the file that the path leads to; `nil` if there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// That of the file at a path; if it is a link, that of the link and that of its target. Empty if nothing is there.
  package static func all(at path: String) -> Set<FileIdentity> {
    var status = stat()
    guard lstat(path, &status) == 0 else { return [] }
    return Set([FileIdentity(status), FileIdentity(of: path)].compactMap { $0 })
  }
}
