import Glibc

/// A file descriptor, closed when it goes out of scope. Errors are `SystemCallFailure`, since their meaning to the user
/// depends on the caller.
package struct FileDescriptor: ~Copyable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a file with close-on-exec.
  static func opening(_ path: String, _ flags: Int32) throws(SystemCallFailure) -> FileDescriptor {
    FileDescriptor(owning: try openingNumber(path, flags))
  }

  /// Opens a file with close-on-exec.
  /// - Returns: a descriptor that the caller has to close.
  static func openingNumber(_ path: String, _ flags: Int32) throws(SystemCallFailure) -> Int32 {
    while true {
      let number = open(path, flags | O_CLOEXEC, 0o666)
      if number >= 0 { return number }
      if errno != EINTR { throw SystemCallFailure(call: "open", code: errno) }
    }
  }

  func status() throws(SystemCallFailure) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemCallFailure(call: "stat", code: errno) }
    return status
  }

  /// Sets the time of modification, and that of access likewise. Errors are ignored.
  /// - Parameter nanoseconds: since 1970.
  func setModificationTime(to nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    // The kernel takes no nanoseconds below 0.
    let time =
      rest < 0
      ? timespec(tv_sec: Int(seconds - 1), tv_nsec: Int(rest + 1_000_000_000))
      : timespec(tv_sec: Int(seconds), tv_nsec: Int(rest))
    let times = [time, time]
    futimens(number, times)
  }

  /// Reads until the buffer is full or the file ends.
  /// - Returns: bytes read; fewer than requested only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemCallFailure) -> Int {
    try FileDescriptor.read(number, into: buffer, at: offset)
  }

  /// Reads from a descriptor of the caller until the buffer is full or the file ends. Any thread.
  /// - Returns: bytes read; fewer than requested only at the end of the file.
  package static func read(
    _ number: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemCallFailure) -> Int {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = pread(number, base + done, buffer.count - done, off_t(offset) + off_t(done))
      if count == 0 { break }
      if count > 0 { done += count } else if errno != EINTR { throw SystemCallFailure(call: "read", code: errno) }
    }
    return done
  }

  /// Waits until a descriptor is ready, or a signal comes. Another program that has the stream may have made it one
  /// that does not block.
  /// - Parameter events: `POLLIN` or `POLLOUT`.
  package static func wait(for events: Int32, of number: Int32) {
    var status = pollfd(fd: number, events: Int16(events), revents: 0)
    _ = poll(&status, 1, -1)
  }

  /// Writes the whole buffer at the file's position. A stream that does not block is waited for.
  static func write(_ buffer: UnsafeRawBufferPointer, to number: Int32) throws(SystemCallFailure) {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = Glibc.write(number, base + done, buffer.count - done)
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        wait(for: POLLOUT, of: number)
      } else if errno != EINTR {
        throw SystemCallFailure(call: "write", code: errno)
      }
    }
  }

  /// Writes all bytes at `offset`, without moving the file's position. Any thread.
  static func write(_ bytes: [UInt8], to number: Int32, at offset: Int64) throws(SystemCallFailure) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(SystemCallFailure) in
      try write(UnsafeRawBufferPointer(bytes), to: number, at: offset)
    }
  }

  package static func write(
    _ buffer: UnsafeRawBufferPointer, to number: Int32, at offset: Int64
  ) throws(SystemCallFailure) {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = pwrite(number, base + done, buffer.count - done, off_t(offset) + off_t(done))
      if count >= 0 { done += count } else if errno != EINTR { throw SystemCallFailure(call: "write", code: errno) }
    }
  }

  /// Flushes a file or folder to disk (fsync).
  static func sync(_ number: Int32) throws(SystemCallFailure) {
    while fsync(number) != 0 {
      // Some FUSE file systems have no fsync; that is not an error.
      if errno == EINVAL || errno == ENOTSUP { return }
      if errno != EINTR { throw SystemCallFailure(call: "sync", code: errno) }
    }
  }
}

/// A system call that failed.
public struct SystemCallFailure: Error, Equatable, Sendable {
  /// The operation: "open", "read", "write", "sync", "rename", …
  public let call: String
  /// A value of `errno`.
  public let code: Int32

  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }
}

extension SystemCallFailure: CustomStringConvertible {
  public var description: String { "\(call): \(String(cString: strerror(code)))" }
}
