import Glibc

/// An open file, closed when it goes out of scope. Calls return errno's number on failure, since what it means to a
/// person depends on what was being done.
struct FileDescriptor: ~Copyable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a file, never one that is inherited by a child process.
  static func opening(_ path: String, _ flags: Int32) throws(SystemCallFailure) -> FileDescriptor {
    FileDescriptor(owning: try openingNumber(path, flags))
  }

  /// The same for an owner of another kind, who closes it.
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

  /// Reads until the buffer is full or the file ends.
  /// - Returns: how many bytes were read; fewer than asked for only at the file's end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemCallFailure) -> Int {
    try FileDescriptor.read(number, into: buffer, at: offset)
  }

  static func read(
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

  /// Writes the whole buffer at the file's position.
  static func write(_ buffer: UnsafeRawBufferPointer, to number: Int32) throws(SystemCallFailure) {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = Glibc.write(number, base + done, buffer.count - done)
      if count >= 0 { done += count } else if errno != EINTR { throw SystemCallFailure(call: "write", code: errno) }
    }
  }

  /// Writes all bytes at `offset`, and leaves the file's position alone. Any thread.
  static func write(_ bytes: [UInt8], to number: Int32, at offset: Int64) throws(SystemCallFailure) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(SystemCallFailure) in
      try write(UnsafeRawBufferPointer(bytes), to: number, at: offset)
    }
  }

  static func write(
    _ buffer: UnsafeRawBufferPointer, to number: Int32, at offset: Int64
  ) throws(SystemCallFailure) {
    var done = 0
    while done < buffer.count, let base = buffer.baseAddress {
      let count = pwrite(number, base + done, buffer.count - done, off_t(offset) + off_t(done))
      if count >= 0 { done += count } else if errno != EINTR { throw SystemCallFailure(call: "write", code: errno) }
    }
  }

  /// Waits until the disk has the file.
  static func sync(_ number: Int32) throws(SystemCallFailure) {
    while fsync(number) != 0 {
      // A file system without sync (some FUSE ones) is no reason to refuse.
      if errno == EINVAL || errno == ENOTSUP { return }
      if errno != EINTR { throw SystemCallFailure(call: "sync", code: errno) }
    }
  }
}
