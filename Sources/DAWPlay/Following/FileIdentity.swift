import Foundation

/// The identity of a file, which another file at the same path does not share.
struct FileIdentity: Equatable {
  private var device: UInt
  private var inode: UInt

  /// `nil` when there is no file.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
  }
}
