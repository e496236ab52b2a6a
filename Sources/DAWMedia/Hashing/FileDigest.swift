/// What identifies a file's bytes, and what tells cheaply that they may have changed.
public struct FileDigest: Equatable, Sendable {
  /// SHA-256, 64 hexadecimal digits in lower case.
  public let sha256: String
  public let byteCount: Int64
  /// Of the file that was read, in nanoseconds since 1970.
  public let modificationTime: Int64

  public init(sha256: String, byteCount: Int64, modificationTime: Int64) {
    self.sha256 = sha256
    self.byteCount = byteCount
    self.modificationTime = modificationTime
  }
}

/// Is told from time to time how far a long piece of work is. Called on the thread that does the work.
/// - Parameters:
///   - done: of `total`, in a unit that the caller need not know.
/// - Returns: false to have the work given up.
public typealias MediaProgress = (_ done: Int64, _ total: Int64) -> Bool

/// The SHA-256 of a file's bytes, whatever they are; an empty file is refused. Memory does not grow with its length.
/// - Parameter progress: in bytes.
/// - Throws: `.reading`, `.cancelled`.
public func sha256(
  ofFile path: String, progress: MediaProgress = { _, _ in true }
) throws(MediaWorkError) -> FileDigest {
  try forEachPiece(of: path, progress: progress) { (_) throws(MediaWorkError) in }
}

/// Hands a file's bytes on, piece by piece, and hashes them on the way.
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
