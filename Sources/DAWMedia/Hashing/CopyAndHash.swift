import Glibc

/// Copies a file and hashes what is copied, so that the digest is of the very bytes that were written. The copy is on
/// the disk when this returns, its name in the folder included.
/// - Parameters:
///   - target: must not exist yet; removed again where the copy fails.
///   - progress: in bytes.
/// - Returns: the digest; its modification time is the source's.
/// - Throws: `.reading`, `.writing`, `.cancelled`.
public func copyAndHash(
  from source: String, to target: String, progress: MediaProgress = { _, _ in true }
) throws(MediaWorkError) -> FileDigest {
  let copy: FileDescriptor
  do {
    copy = try FileDescriptor.opening(target, O_WRONLY | O_CREAT | O_EXCL)
  } catch {
    throw .writing(AudioFileWriteError(path: target, error))
  }
  var isComplete = false
  defer { if !isComplete { unlink(target) } }
  let number = copy.number
  let digest = try forEachPiece(of: source, progress: progress) { (bytes) throws(MediaWorkError) in
    do throws(SystemCallFailure) {
      try FileDescriptor.write(bytes, to: number)
    } catch {
      throw .writing(AudioFileWriteError(path: target, error))
    }
  }
  do throws(SystemCallFailure) {
    try FileDescriptor.sync(number)
    try FileDescriptor.syncFolder(Path.folder(of: target))
  } catch {
    throw .writing(AudioFileWriteError(path: target, error))
  }
  isComplete = true
  return digest
}
