import Foundation

/// The state of a file: equal states mean an unchanged file.
struct FileStamp: Equatable {
  private var device: UInt
  private var inode: UInt
  private var size: Int
  private var modification: timespec

  /// `nil` when there is no file.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    modification = status.st_mtim
  }

  static func == (a: Self, b: Self) -> Bool {
    (a.device, a.inode, a.size) == (b.device, b.inode, b.size) && a.modification.tv_sec == b.modification.tv_sec
      && a.modification.tv_nsec == b.modification.tv_nsec
  }
}
