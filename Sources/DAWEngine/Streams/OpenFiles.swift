import DAWMedia
import DAWTime
import Glibc
import Synchronization

/// An open file, closed with its last reference. Any thread but the audio thread, several at a time.
final class OpenFile: Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Throws: `StreamError.unreadable`.
  init(path: String) throws(StreamError) {
    // Without O_NONBLOCK, opening a named pipe that has replaced the file would block.
    let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(opened)
      throw .unreadable(path: path, reason: "it is not a regular file")
    }
    self.path = path
    descriptor = opened
  }

  deinit { close(descriptor) }

  /// Reads `count` bytes from `offset` on.
  /// - Parameter frame: for error messages.
  /// - Throws: `StreamError.unreadable`, `.cutShort`.
  func read(
    at offset: Int64, into bytes: UnsafeMutableRawPointer, count: Int, frame: FileFrame
  ) throws(StreamError) {
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: count)
    let done: Int
    do throws(SystemCallFailure) { done = try FileDescriptor.read(descriptor, into: buffer, at: offset) } catch {
      throw .unreadable(path: path, reason: String(cString: strerror(error.code)))
    }
    guard done == count else { throw .cutShort(path: path, frame: frame) }
  }
}

extension FrameNumber where Kind == FrameKind.File {
  /// Where a file of interleaved samples has the frame, in bytes.
  /// - Parameter dataOffset: where it has frame 0.
  func byteOffset(_ dataOffset: Int64, _ bytesPerFrame: Int) -> Int64 { dataOffset + Int64(number * bytesPerFrame) }
}

/// A least-recently-used cache of open files, which bounds the number of file descriptors. Files are opened on first
/// use. Any thread but the audio thread.
final class OpenFiles<Key: Hashable & Sendable, File: AnyObject & Sendable>: Sendable {
  private struct Cache {
    var files: [Key: (file: File, lastUse: UInt64)] = [:]
    var clock: UInt64 = 0
  }

  private let cache = Mutex(Cache())
  private let capacity: Int

  /// - Parameter capacity: files kept open, at least 1; files still referenced elsewhere stay open in addition.
  init(capacity: Int) { self.capacity = capacity }

  /// Drops a file, so that it is opened anew at its next use.
  func drop(_ source: Key) {
    let dropped = cache.withLock { $0.files.removeValue(forKey: source) }
    // Closed outside of the lock.
    withExtendedLifetime(dropped) {}
  }

  /// - Parameter open: opens the file if it is not in the cache.
  /// - Throws: what `open` throws.
  func file(of source: Key, open: () throws(StreamError) -> File) throws(StreamError) -> File {
    let known: File? = cache.withLock { cache in
      cache.clock += 1
      guard let entry = cache.files[source] else { return nil }
      cache.files[source]?.lastUse = cache.clock
      return entry.file
    }
    if let known { return known }
    let opened = try open()
    return cache.withLock { cache in
      if let other = cache.files[source] { return other.file }
      if cache.files.count >= capacity, let oldest = cache.files.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        cache.files[oldest.key] = nil
      }
      cache.files[source] = (opened, cache.clock)
      return opened
    }
  }
}
