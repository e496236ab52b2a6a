import Glibc

/// A segment while it is written. Used by one thread at a time.
final class OpenSegment {
  let file: RecordedFile
  let folder: RecordingFolder
  let name: String
  var header: SegmentHeader
  /// Frames that were passed on to the file or wait to be.
  var frames: Int64 = 0

  private let bytesPerFrame: Int64
  private let dataOffset: Int64
  /// Bytes of sound in the file.
  private var dataByteCount: Int64 = 0

  /// - Parameter file: empty.
  init(
    _ file: RecordedFile, in folder: RecordingFolder, named name: String, bytesPerFrame: Int64, _ header: SegmentHeader
  ) {
    self.file = file
    self.folder = folder
    self.name = name
    self.header = header
    self.bytesPerFrame = bytesPerFrame
    dataOffset = Int64(header.byteCount)
  }

  /// What is in the file.
  var written: RecordedSegmentFile {
    var file = header.chunk.file
    file.frames = wholeFrames
    file.byteCount = byteCount
    return file
  }

  private var path: String { folder.place.appending(name).path }
  private var wholeFrames: Int64 { dataByteCount / bytesPerFrame }

  /// The file's length.
  var byteCount: Int64 { dataOffset + dataByteCount }

  /// Appends packed samples.
  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      try FileDescriptor.write(bytes, to: file.number, at: byteCount)
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
    dataByteCount += Int64(bytes.count)
  }

  /// Writes the header with the frames that are in the file.
  func refreshHeader() throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      try FileDescriptor.write(header.bytes(frameCount: wholeFrames), to: file.number, at: 0)
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Completes the file: its header, the byte that pads it to an even length. Space reserved beyond it is freed.
  func complete() throws(AudioFileWriteError) -> RecordedSegmentFile {
    do throws(SystemCallFailure) { return try complete(frames: wholeFrames) } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Frames that are whole in the file, by its length.
  var wholeFramesInFile: Int64 { max(0, file.byteCount - dataOffset) / bytesPerFrame }

  /// Ends the file after a failed write.
  /// - Parameter frames: those that stay.
  /// - Returns: what is in it, and whether it is complete: the disk may not even let it be.
  func abandon(frames: Int64) -> (file: RecordedSegmentFile, isComplete: Bool) {
    if let complete = try? complete(frames: frames) { return (complete, true) }
    var left = header.chunk.file
    left.frames = frames
    left.byteCount = file.byteCount
    return (left, false)
  }

  private func complete(frames: Int64) throws(SystemCallFailure) -> RecordedSegmentFile {
    let padding = [UInt8](repeating: 0, count: Int(frames * bytesPerFrame % 2))
    let end = dataOffset + frames * bytesPerFrame
    // The header first: it lies over bytes that the disk has, and the padding may need room.
    try FileDescriptor.write(header.bytes(frameCount: frames), to: file.number, at: 0)
    try FileDescriptor.write(padding, to: file.number, at: end)
    guard ftruncate(file.number, off_t(end + Int64(padding.count))) == 0 else {
      throw SystemCallFailure(call: "shorten", code: errno)
    }
    var complete = header.chunk.file
    complete.frames = frames
    complete.byteCount = end + Int64(padding.count)
    return complete
  }
}
