/// A file's SHA-256, with length and modification time as a cheap check for changes.
public struct FileDigest: Equatable, Sendable {
  /// SHA-256, 64 hexadecimal digits in lower case.
  public let sha256: String
  public let byteCount: Int64
  /// The modification time of the source file, in nanoseconds since 1970.
  public let modificationTime: Int64

  public init(sha256: String, byteCount: Int64, modificationTime: Int64) {
    self.sha256 = sha256
    self.byteCount = byteCount
    self.modificationTime = modificationTime
  }
}

/// Progress of a long operation. Called from time to time on the operation's thread.
/// - Parameters:
///   - done: of `total`, in the unit of the operation.
/// - Returns: false to cancel the operation.
public typealias MediaProgress = (_ done: Int64, _ total: Int64) -> Bool

/// The SHA-256 of a file; an empty file is refused. Memory does not grow with its length.
/// - Parameter progress: in bytes.
/// - Throws: `.reading`, `.cancelled`.
public func sha256(
  ofFile path: String, progress: MediaProgress = { _, _ in true }
) throws(MediaWorkError) -> FileDigest {
  try forEachPiece(of: path, progress: progress) { (_) throws(MediaWorkError) in }
}

/// Passes a file's bytes to `body` in pieces, and hashes them.
/// - Throws: `.reading`, `.cancelled`, and what `body` throws.
func forEachPiece(
  of path: String, progress: MediaProgress, body: (UnsafeRawBufferPointer) throws(MediaWorkError) -> Void
) throws(MediaWorkError) -> FileDigest {
  let file: OpenAudioFile
  let time: Int64
  do throws(AudioFileError) {
    file = try OpenAudioFile(path: path)
    time = try file.modificationTime()
  } catch {
    throw .reading(error)
  }
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
  defer { piece.deallocate() }
  var hash = StreamingSHA256()
  var done: Int64 = 0
  while true {
    let count: Int
    do {
      count = try file.read(into: piece, at: done)
    } catch {
      throw .reading(error)
    }
    let bytes = UnsafeRawBufferPointer(rebasing: piece[..<count])
    hash.update(bytes)
    try body(bytes)
    done += Int64(count)
    guard progress(done, max(done, file.byteCount)) else { throw .cancelled }
    if count < piece.count { break }
  }
  do throws(AudioFileError) {
    guard done == file.byteCount, try file.modificationTime() == time else { throw .changedWhileRead(path: path) }
  } catch {
    throw .reading(error)
  }
  return FileDigest(sha256: hash.hexDigest(), byteCount: done, modificationTime: time)
}
