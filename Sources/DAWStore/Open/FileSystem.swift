import CSQLiteSession
import Foundation

/// Properties of the file system that holds a project.
enum FileSystem {
  /// Why a file cannot be written, as the end of a sentence; `nil` if it can be.
  static func reasonNotToWrite(_ path: String) -> String? {
    let folder = (path as NSString).deletingLastPathComponent
    for (place, name) in [(path, "the file"), (folder.isEmpty ? "." : folder, "its folder")]
    where faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) != 0 {
      return errno == EROFS ? "its file system is read-only" : "\(name) may not be written by this user"
    }
    var status = stat()
    // SQLite would use a separate log for each name, and edits through one would be lost to the other.
    if lstat(path, &status) == 0, status.st_nlink > 1 {
      return "the file has another name (a hard link); make a separate copy first: "
        + "cp FILE COPY && mv COPY FILE"
    }
    return isFull(path) ? fullDisk : nil
  }

  static let fullDisk = "its disk is full"

  /// Whether there is no room for the log of even a small edit. SQLite can then not even read a file that has a log.
  static func isFull(_ path: String) -> Bool {
    var status = statvfs()
    let folder = (path as NSString).deletingLastPathComponent
    guard statvfs(folder.isEmpty ? "." : folder, &status) == 0 else { return false }
    let free = geteuid() == 0 ? status.f_bfree : status.f_bavail
    return isFull(freeBlocks: free, of: status.f_blocks, byteCount: UInt(status.f_frsize))
  }

  /// - Parameters:
  ///   - freeBlocks: of a network or FUSE file system, the product with their size may exceed any integer.
  ///   - all: 0 if the file system does not say how large it is.
  ///   - byteCount: of a block.
  static func isFull(freeBlocks: UInt, of all: UInt, byteCount: UInt) -> Bool {
    let (free, isTooMany) = freeBlocks.multipliedReportingOverflow(by: byteCount)
    return all > 0 && !isTooMany && free < roomForAnEdit
  }

  /// Waits until the file, or the folder's entries, are on the disk. On failure `errno` is set.
  static func sync(_ path: String) -> Bool {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return false }
    defer { close(number) }
    // Some FUSE file systems do not implement fsync; they are accepted.
    return fsync(number) == 0 || [EINVAL, ENOTSUP].contains(errno)
  }

  /// Bytes: the log's index takes 32 KiB, and each changed page its own 4 KiB.
  private static let roomForAnEdit: UInt = 128 << 10

  /// Whether the shared memory of the write-ahead log would not be shared between hosts: on NFS, SMB, 9p, Ceph and AFS.
  /// - SeeAlso: statfs(2)
  static func isNetwork(_ path: String) -> Bool {
    var status = statfs()
    let folder = (path as NSString).deletingLastPathComponent
    guard statfs(folder.isEmpty ? "." : folder, &status) == 0 else { return false }
    let kinds: [UInt32] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x00c3_6400, 0x5346_414f]
    return kinds.contains(UInt32(truncatingIfNeeded: status.f_type))
  }
}
