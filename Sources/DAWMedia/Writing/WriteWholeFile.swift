/// Writes a file beside its name, and gives it the name when it is whole and on the disk.
/// - Parameter replaces: whether a file of that name makes way; else it is refused.
/// - Throws: `AudioFileWriteError`; nothing is left behind.
public func writeWholeFile(_ bytes: [UInt8], at place: Place, replaces: Bool) throws(AudioFileWriteError) {
  let file = try PartialFile(at: place, replaces: replaces)
  do throws(SystemCallFailure) {
    try FileDescriptor.write(bytes, to: file.number, at: 0)
  } catch {
    throw AudioFileWriteError(path: place.path, error)
  }
  try file.commit()
}
