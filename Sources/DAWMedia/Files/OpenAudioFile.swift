import Glibc

/// A regular file, open for reading. Used by one thread at a time.
final class OpenAudioFile {
  let path: String
  let byteCount: Int64
  private let descriptor: FileDescriptor

  /// Never blocks: a named pipe or a device is refused before it is opened.
  convenience init(path: String) throws(AudioFileError) {
    var before = stat()
    guard stat(path, &before) == 0 else { throw Self.error(path, SystemCallFailure(call: "open", code: errno)) }
    try Self.requireRegularFile(before, path)
    let number: Int32
    do throws(SystemCallFailure) {
      // A pipe may have replaced the file meanwhile; O_NONBLOCK does not affect files.
      number = try FileDescriptor.openingNumber(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    } catch {
      throw Self.error(path, error)
    }
    try self.init(owning: number, path: path)
  }

  /// A file in an open folder. A link is refused.
  convenience init(_ name: String, in folder: Folder) throws(AudioFileError) {
    let path = Path.joining(folder.path, name)
    let number: Int32
    do throws(SystemCallFailure) {
      number = try folder.openFile(name, O_RDONLY)
    } catch {
      throw Self.error(path, error)
    }
    try self.init(owning: number, path: path)
  }

  /// The same file, with a position of its own.
  convenience init(reopening file: OpenAudioFile) throws(AudioFileError) {
    let number: Int32
    do throws(SystemCallFailure) {
      number = try FileDescriptor.openingNumber("/proc/self/fd/\(file.number)", O_RDONLY | O_NOCTTY)
    } catch {
      throw Self.error(file.path, error)
    }
    try self.init(owning: number, path: file.path)
  }

  private init(owning number: Int32, path: String) throws(AudioFileError) {
    descriptor = FileDescriptor(owning: number)
    let status: stat
    do {
      status = try descriptor.status()
    } catch {
      throw Self.error(path, error)
    }
    try Self.requireRegularFile(status, path)
    guard status.st_size > 0 else { throw .empty(path: path) }
    self.path = path
    self.byteCount = Int64(status.st_size)
  }

  /// The descriptor, for libraries; closed with this object.
  var number: Int32 { descriptor.number }

  /// The user whose file it is.
  func owner() throws(AudioFileError) -> uid_t {
    do { return try descriptor.status().st_uid } catch { throw Self.error(path, error) }
  }

  /// Nanoseconds since 1970.
  func modificationTime() throws(AudioFileError) -> Int64 {
    do {
      let time = try descriptor.status().st_mtim
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    } catch {
      throw Self.error(path, error)
    }
  }

  /// - Returns: bytes read; fewer than requested only at the end of the file.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
    do {
      return try descriptor.read(into: buffer, at: offset)
    } catch {
      throw Self.error(path, error)
    }
  }

  /// - Returns: the bytes; fewer than `count` at the end of the file.
  func bytes(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: AudioFileError?
    let done = bytes.withUnsafeMutableBytes { buffer in
      do throws(AudioFileError) {
        return try read(into: buffer, at: offset)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    bytes.removeLast(count - done)
    return bytes
  }

  private static func requireRegularFile(_ status: stat, _ path: String) throws(AudioFileError) {
    let kind: String
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: kind = "a folder"
    case S_IFIFO: kind = "a named pipe"
    case S_IFSOCK: kind = "a socket"
    default: kind = "a device"
    }
    throw .notAFile(path: path, kind: kind)
  }

  private static func error(_ path: String, _ failure: SystemCallFailure) -> AudioFileError {
    switch failure.code {
    case ENOENT, ENOTDIR: .missing(path: path)
    case EACCES, EPERM: .noPermission(path: path)
    default: .system(path: path, failure: failure)
    }
  }
}
