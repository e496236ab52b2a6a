import Glibc

/// An open file, closed when nobody uses it any more. Any number of threads may read at once, none of them the audio
/// thread.
final class OpenFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Throws: `StreamError.unreadable`.
  init(path: String) throws(StreamError) {
    // Without O_NONBLOCK, a named pipe that has taken the file's place would be waited for.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .unreadable(path: path, reason: "it is no file")
    }
    self.path = path
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Fills `bytes` from `offset` on.
  /// - Parameter frame: what an error names.
  /// - Throws: `StreamError.unreadable`, `.cutShort`.
  func read(
    at offset: Int64, into bytes: UnsafeMutableRawPointer, count: Int, frame: Int64
  ) throws(StreamError) {
    var done = 0
    while done < count {
      let got = pread(descriptor, bytes + done, count - done, off_t(offset) + off_t(done))
      if got > 0 {
        done += got
      } else if got == 0 {
        throw .cutShort(path: path, frame: frame)
      } else if errno != EINTR {
        throw .unreadable(path: path, reason: String(cString: strerror(errno)))
      }
    }
  }
}
