import Glibc

/// A segment while it is written. Used by one thread at a time.
///
/// The hash of a file covers its header first, which is complete only at the end. A full file's can be foretold, so it is
/// hashed as it is written; one that ends early, or in which a gap is noted, is read again.
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
  /// The header of a full file, with which `hash` begins.
  private let fullHeader: [UInt8]
  private var hash = StreamingSHA256()

  /// - Parameter file: empty.
  init(
    _ file: RecordedFile, in folder: RecordingFolder, named name: String, fullFrames: Int64, bytesPerFrame: Int64,
    _ header: SegmentHeader
  ) {
    self.file = file
    self.folder = folder
    self.name = name
    self.header = header
    self.bytesPerFrame = bytesPerFrame
    dataOffset = Int64(header.byteCount)
    fullHeader = header.bytes(frameCount: fullFrames)
    fullHeader.withUnsafeBytes { hash.update($0) }
  }

  /// What is in the file.
  var written: RecordedSegmentFile {
    var file = header.chunk.file
    file.frames = wholeFrames
    file.byteCount = dataOffset + dataByteCount
    return file
  }

  private var path: String { folder.place.appending(name).path }
  private var wholeFrames: Int64 { dataByteCount / bytesPerFrame }

  /// Appends packed samples.
  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      try FileDescriptor.write(bytes, to: file.number, at: dataOffset + dataByteCount)
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
    hash.update(bytes)
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

  /// Completes the file: its header, the byte that pads it to an even length, its hash. Space reserved beyond it is freed.
  func seal() throws(AudioFileWriteError) -> RecordedSegmentFile {
    do throws(SystemCallFailure) { return try completed(frames: wholeFrames) } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// Frames that are whole in the file, by its length.
  var wholeFramesInFile: Int64 { max(0, file.byteCount - dataOffset) / bytesPerFrame }

  /// Ends the file after a failed write.
  /// - Parameter frames: those that stay.
  /// - Returns: without a hash if the disk does not even let it be completed.
  func abandon(frames: Int64) -> RecordedSegmentFile {
    if let completed = try? completed(frames: frames) { return completed }
    var left = header.chunk.file
    left.frames = frames
    left.byteCount = file.byteCount
    return left
  }

  private func completed(frames: Int64) throws(SystemCallFailure) -> RecordedSegmentFile {
    let final = header.bytes(frameCount: frames)
    let padding = [UInt8](repeating: 0, count: Int(frames * bytesPerFrame % 2))
    let end = dataOffset + frames * bytesPerFrame
    // The header first: it lies over bytes that the disk has, and the padding may need room.
    try FileDescriptor.write(final, to: file.number, at: 0)
    try FileDescriptor.write(padding, to: file.number, at: end)
    guard ftruncate(file.number, off_t(end + Int64(padding.count))) == 0 else {
      throw SystemCallFailure(call: "shorten", code: errno)
    }
    var sealed = header.chunk.file
    sealed.frames = frames
    sealed.byteCount = end + Int64(padding.count)
    if final == fullHeader, frames == wholeFrames {
      padding.withUnsafeBytes { hash.update($0) }
      sealed.sha256 = hash.hexDigest()
    } else {
      sealed.sha256 = try StreamingSHA256.hexDigest(ofFile: file.number)
    }
    return sealed
  }
}

extension StreamingSHA256 {
  /// The same of a file that is no link.
  public static func hexDigest(of place: Place) throws(SystemCallFailure) -> String {
    let file = FileDescriptor(owning: try place.openFile(O_RDONLY))
    return try hexDigest(ofFile: file.number)
  }

  /// The digest of an open file's bytes, 64 hexadecimal digits in lower case.
  static func hexDigest(ofFile number: Int32) throws(SystemCallFailure) -> String {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { piece.deallocate() }
    var hash = StreamingSHA256()
    var done: Int64 = 0
    while true {
      let count = try FileDescriptor.read(number, into: piece, at: done)
      hash.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      done += Int64(count)
      if count < piece.count { return hash.hexDigest() }
    }
  }
}
