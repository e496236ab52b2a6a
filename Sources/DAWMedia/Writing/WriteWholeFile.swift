/// Writes a file atomically: under a temporary name, which is renamed once it is complete and flushed to disk.
/// - Parameter replaces: whether an existing file is replaced; else it is an error.
/// - Throws: `AudioFileWriteError`; no incomplete file is left.
public func writeWholeFile(_ bytes: [UInt8], at place: Place, replaces: Bool) throws(AudioFileWriteError) {
  let file = try PartialFile(at: place, replaces: replaces)
  do throws(SystemCallFailure) {
    try FileDescriptor.write(bytes, to: file.number, at: 0)
  } catch {
    throw AudioFileWriteError(path: place.path, error)
  }
  try file.commit()
}
