import CFileSystem
import Glibc

/// What a file's status says of its bytes, without reading them. A program that writes into a file changes its time of
/// change, which no program can set back; one that puts another file in its place changes the inode or, where the
/// number is used again, that time. So equal values mean equal bytes, unless a file is written twice within one tick of
/// the kernel's clock (10 ms at most), and the status is read in between.
package struct FileState: Hashable, Sendable {
  package let device: UInt64
  package let inode: UInt64
  package let byteCount: Int64
  /// Nanoseconds since 1970.
  package let modified: Int64
  /// Likewise; of the bytes or of the file's name, owner or rights.
  package let changed: Int64

  /// - Returns: that of the file which the path leads to; `nil` when there is none.
  package init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec) }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    byteCount = Int64(status.st_size)
    (modified, changed) = (nanoseconds(status.st_mtim), nanoseconds(status.st_ctim))
  }

  /// When the file was made that a path leads to, in nanoseconds since 1970; 0 where its file system does not say.
  package static func birth(of path: String) -> Int64 { daw_birth_time(path) }
}
