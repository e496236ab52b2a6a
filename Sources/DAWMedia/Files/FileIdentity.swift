import Glibc

/// What tells a file from all others, whatever its names are. Another file at the same path has another one.
package struct FileIdentity: Hashable, Sendable {
  private let device: dev_t
  private let inode: ino_t

  package init(_ status: stat) {
    device = status.st_dev
    inode = status.st_ino
  }

  /// - Returns: that of the file which the path leads to; `nil` when there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// That of a name, and if it is a link, that of what it leads to; empty if there is none.
  package static func all(at path: String) -> Set<FileIdentity> {
    var status = stat()
    guard lstat(path, &status) == 0 else { return [] }
    return Set([FileIdentity(status), FileIdentity(of: path)].compactMap { $0 })
  }
}
