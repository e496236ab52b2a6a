import CSampleCodec

/// Reads PCM samples directly from a file, in pieces that fit the L1 cache, and unpacks them. Used by one thread at a
/// time.
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
  /// - Returns: complete frames read.
  func read(at frame: Int64, count: Int, into samples: UnsafeMutablePointer<Float>) throws(AudioFileError) -> Int {
    let bytesPerFrame = layout.bytesPerFrame
    let pieceFrames = piece.count / bytesPerFrame
    var done = 0
    while done < count {
      let wanted = min(pieceFrames, count - done)
      let offset = layout.dataOffset + (frame + Int64(done)) * Int64(bytesPerFrame)
      let bytes = UnsafeMutableRawBufferPointer(rebasing: piece[..<(wanted * bytesPerFrame)])
      let frames = try file.read(into: bytes, at: offset) / bytesPerFrame
      unpack(UnsafeRawBufferPointer(bytes), frames * layout.channelCount, to: samples + done * layout.channelCount)
      done += frames
      if frames < wanted { break }
    }
    return done
  }

  /// An integer x of b bits becomes x / 2^(b−1), a number that is NaN or infinite 0.
  private func unpack(_ bytes: UnsafeRawBufferPointer, _ count: Int, to samples: UnsafeMutablePointer<Float>) {
    guard let start = bytes.baseAddress, count > 0 else { return }
    _ = daw_unpack(daw_best_path(), layout.encoding.codecFormat, start, count, 1, samples)
  }
}
