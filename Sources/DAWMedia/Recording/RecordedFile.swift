import CFileSystem
import Glibc

/// An open file of a recording. Any thread may flush it to disk while another writes; it is closed with its last
/// reference.
public final class RecordedFile: Sendable {
  /// The descriptor, valid while the object lives.
  public let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Flushes its bytes to disk (fdatasync).
  public func sync() throws(SystemCallFailure) {
    while fdatasync(number) != 0 {
      if errno == EINVAL || errno == ENOTSUP { return }
      if errno != EINTR { throw SystemCallFailure(call: "sync", code: errno) }
    }
  }

  /// Flushes everything on its file system to disk (syncfs): with many files much faster than one by one.
  public func syncFileSystem() throws(SystemCallFailure) {
    while daw_sync_file_system(number) != 0 {
      if errno != EINTR { throw SystemCallFailure(call: "sync", code: errno) }
    }
  }

  /// Bytes in the file.
  var byteCount: Int64 {
    var status = stat()
    return fstat(number, &status) == 0 ? Int64(status.st_size) : 0
  }
}
