import Glibc

/// Writes a file atomically: under a temporary name, which is renamed once it is complete and flushed to disk.
/// - Parameters:
///   - replaces: whether an existing file is replaced; else it is an error.
///   - mode: the file's.
/// - Throws: `AudioFileWriteError`; no incomplete file is left.
public func writeWholeFile(
  _ bytes: [UInt8], at place: Place, replaces: Bool, mode: mode_t = 0o666
) throws(AudioFileWriteError) {
  let file = try PartialFile(at: place, replaces: replaces, mode: mode)
  do throws(SystemCallFailure) {
    try FileDescriptor.write(bytes, to: file.number, at: 0)
  } catch {
    throw AudioFileWriteError(path: place.path, error)
  }
  try file.commit()
}

/// Copies a file to a descriptor and removes the file, even if copying fails.
/// - Parameter descriptor: not closed; may be a pipe.
public func moveFile(_ place: Place, toDescriptor descriptor: Int32) throws(AudioFileWriteError) {
  defer { place.removeAll() }
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
  defer { buffer.deallocate() }
  do throws(SystemCallFailure) {
    let file = FileDescriptor(owning: try place.openFile(O_RDONLY))
    var offset: Int64 = 0
    while true {
      let count = try file.read(into: buffer, at: offset)
      if count == 0 { return }
      try FileDescriptor.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: descriptor)
      offset += Int64(count)
    }
  } catch {
    throw AudioFileWriteError(path: "standard output", error)
  }
}
