/// Reads plain samples straight from the file, in pieces that stay in the processor's first cache, and unpacks them.
/// Used by one thread at a time.
final class PCMReader {
  private let file: OpenAudioFile
  private let layout: PCMLayout
  private let piece: UnsafeMutableRawBufferPointer

  init(file: OpenAudioFile, layout: PCMLayout) {
    self.file = file
    self.layout = layout
    piece = .allocate(byteCount: max(Self.pieceBytes, layout.bytesPerFrame), alignment: 64)
  }

  deinit { piece.deallocate() }

  private static let pieceBytes = 32_768

  /// - Parameter samples: room for `count` frames, interleaved.
  /// - Returns: how many whole frames were there.
  func read(at frame: Int64, count: Int, into samples: UnsafeMutablePointer<Float>) throws(AudioFileError) -> Int {
    let bytesPerFrame = layout.bytesPerFrame
    let pieceFrames = piece.count / bytesPerFrame
    var done = 0
    while done < count {
      let wanted = min(pieceFrames, count - done)
      let offset = layout.dataOffset + (frame + Int64(done)) * Int64(bytesPerFrame)
      let bytes = UnsafeMutableRawBufferPointer(rebasing: piece[..<(wanted * bytesPerFrame)])
      let frames = try file.read(into: bytes, at: offset) / bytesPerFrame
      unpack(bytes.baseAddress, frames, to: samples + done * layout.channelCount)
      done += frames
      if frames < wanted { break }
    }
    return done
  }

  private func unpack(_ bytes: UnsafeMutableRawPointer?, _ frames: Int, to samples: UnsafeMutablePointer<Float>) {
    guard let bytes else { return }
    SampleUnpacking.unpack(bytes, layout.encoding, count: frames * layout.channelCount, into: samples)
  }
}
