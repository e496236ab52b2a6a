import Foundation

/// Which file lies at a path: another one by the same name has another.
struct FileIdentity: Equatable {
  private var device: UInt
  private var inode: UInt

  /// `nil` where nothing is there.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
  }
}
