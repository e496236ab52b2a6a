import DAWErrors
import Foundation

/// The folder of the players' sockets, open: it belongs to this user, no other user can enter it, and no link leads to
/// it.
final class PlayerFolder {
  private let descriptor: Int32

  /// - Parameter isMade: whether it is made where it is not there.
  /// - Throws: `POSIXCode`; `Failure` for a folder that others can enter.
  init(at path: String, isMade: Bool) throws {
    if isMade, mkdir(path, 0o700) != 0, errno != EEXIST { throw POSIXCode(errno) }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw POSIXCode(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw POSIXCode(errno) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      let mode = String(status.st_mode & 0o777, radix: 8)
      throw Failure(
        .io, code: "unsafeControlFolder",
        "The folder '\(path)', through which 'daw transport' reaches a player, is not this user's alone: it belongs to user "
          + "\(status.st_uid), with mode \(mode).",
        hint: "Remove it, or have it entered by its owner alone: chmod 700 '\(path)'")
    }
  }

  deinit { close(descriptor) }

  /// The sockets whose names begin with `prefix`, those first that have been there longest.
  func sockets(_ prefix: String) -> [String] {
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let listing = fdopendir(copy) else { return [] }
    defer { closedir(listing) }
    var found: [(seconds: Int, nanoseconds: Int, name: String)] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { String(cString: $0) }
      }
      guard name.hasPrefix(prefix), let status = status(of: name), status.st_mode & S_IFMT == S_IFSOCK else { continue }
      found.append((status.st_mtim.tv_sec, status.st_mtim.tv_nsec, name))
    }
    return found.sorted { ($0.seconds, $0.nanoseconds, $0.name) < ($1.seconds, $1.nanoseconds, $1.name) }.map(\.name)
  }

  /// Of the name itself, not of what a link leads to; `nil` where there is nothing.
  private func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// - Throws: `POSIXCode`.
  func rename(_ name: String, to new: String) throws(POSIXCode) {
    guard renameat(descriptor, name, descriptor, new) == 0 else { throw POSIXCode(errno) }
  }

  /// Calls `body` with a socket's address: one holds 107 bytes, and the way through `/proc` is short where the folder's
  /// own path is not.
  /// - Throws: `POSIXCode`.
  func withAddress<T>(
    of name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(POSIXCode) -> T
  ) throws(POSIXCode) -> T {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(descriptor)/\(name)".utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXCode(ENAMETOOLONG) }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    return try withUnsafePointer(to: address) { pointer throws(POSIXCode) in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(POSIXCode) in
        try body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
