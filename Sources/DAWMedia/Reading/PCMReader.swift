import CSampleCodec

/// Reads plain samples straight from the file, in pieces that stay in the processor's first cache, and unpacks them.
/// Used by one thread at a time.
final class PCMReader {
  /// How many samples read so far were infinite or not a number; silence was given in their place.
  private(set) var notFiniteCount: Int64 = 0

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
      unpack(UnsafeRawBufferPointer(bytes), frames * layout.channelCount, to: samples + done * layout.channelCount)
      done += frames
      if frames < wanted { break }
    }
    return done
  }

  /// An integer x of b bits becomes x / 2^(b−1).
  private func unpack(_ bytes: UnsafeRawBufferPointer, _ count: Int, to samples: UnsafeMutablePointer<Float>) {
    guard let start = bytes.baseAddress, count > 0 else { return }
    notFiniteCount += Int64(daw_unpack(daw_best_path(), layout.encoding.codecFormat, start, count, 1, samples))
  }
}

extension SampleEncoding {
  fileprivate var codecFormat: daw_sample_format {
    switch self {
    case .uint8: DAW_SAMPLE_U8
    case .int16: DAW_SAMPLE_S16
    case .int24: DAW_SAMPLE_S24
    case .int32: DAW_SAMPLE_S32
    case .float32: DAW_SAMPLE_F32
    case .float64: DAW_SAMPLE_F64
    }
  }
}
