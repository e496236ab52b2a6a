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

/// Writes files into one folder as `writeWholeFile` does, replacing those that are there. The disk has all of them
/// before the first gets its name; after an error, some may have it.
/// - Parameters:
///   - files: no name twice.
///   - mode: the files'.
func writeWholeFiles(
  _ files: [(name: String, bytes: [UInt8])], in place: Place, mode: mode_t
) throws(AudioFileWriteError) {
  // Each is open until it is written.
  let most = 64
  for first in stride(from: 0, to: files.count, by: most) {
    let some = files[first..<min(first + most, files.count)]
    let made = try PartialFile.several(named: some.map(\.name), in: place, mode: mode)
    for (file, content) in zip(made, some) {
      do throws(SystemCallFailure) {
        try FileDescriptor.write(content.bytes, to: file.number, at: 0)
      } catch {
        throw AudioFileWriteError(path: file.path, error)
      }
    }
    try PartialFile.commit(made)
  }
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
