import Glibc

/// Copies a file and hashes it on the way, so that the digest is of the bytes written. The copy has the source's time
/// of modification, as far as its file system has such times. It is flushed to disk; its name in the folder is not.
/// - Parameters:
///   - target: must not exist; removed if the copy fails.
///   - progress: in bytes.
/// - Returns: the digest.
/// - Throws: `.reading`, `.writing`, `.cancelled`.
public func copyAndHash(
  from source: String, to target: Place, progress: MediaProgress = { _, _ in true }
) throws(MediaWorkError) -> FileDigest {
  let folder: Folder
  let copy: FileDescriptor
  do throws(SystemCallFailure) {
    folder = try target.parent.open()
    copy = FileDescriptor(owning: try folder.openFile(target.name, O_WRONLY | O_CREAT | O_EXCL))
  } catch {
    throw .writing(AudioFileWriteError(path: target.path, error))
  }
  var isComplete = false
  defer { if !isComplete { try? folder.remove(target.name) } }
  let number = copy.number
  let digest = try forEachPiece(of: source, progress: progress) { (bytes) throws(MediaWorkError) in
    do throws(SystemCallFailure) {
      try FileDescriptor.write(bytes, to: number)
    } catch {
      throw .writing(AudioFileWriteError(path: target.path, error))
    }
  }
  copy.setModificationTime(to: digest.modificationTime)
  do throws(SystemCallFailure) {
    try FileDescriptor.sync(number)
  } catch {
    throw .writing(AudioFileWriteError(path: target.path, error))
  }
  isComplete = true
  return digest
}
