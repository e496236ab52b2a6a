import DAWTime

/// The peaks of an audio file, in levels, read on demand. Used by one thread at a time.
public final class PeakFile {
  public let channelCount: Int
  /// The finest level first, with 256 frames per point; each next level combines four points; the last has one.
  public let levels: [PeakLevel]

  private let file: OpenAudioFile
  private let layout: PeakLayout

  /// - Returns: `nil` if the file is missing, damaged, of another version, or of other audio.
  convenience init?(path: String, sha256: String, facts: AudioFileFacts) {
    self.init(
      path: path, sha256: sha256,
      layout: PeakLayout(channelCount: facts.channelCount, frames: facts.frames.frames))
  }

  init?(path: String, sha256: String, layout: PeakLayout) {
    guard let file = try? OpenAudioFile(path: path), file.byteCount == layout.byteCount,
      let header = try? file.bytes(at: 0, count: PeakLayout.headerBytes), header == layout.header(sha256: sha256)
    else { return nil }
    self.file = file
    self.layout = layout
    channelCount = layout.channelCount
    levels = layout.levels
  }

  /// The coarsest level with at most `framesPerPoint` frames per point; the finest if there is none.
  public func level(for framesPerPoint: Int64) -> Int {
    levels.lastIndex { $0.framesPerPoint <= framesPerPoint } ?? 0
  }

  /// Peaks of a level.
  /// - Parameters:
  ///   - level: an index of `levels`.
  ///   - points: clamped to the level.
  /// - Returns: points × channels, interleaved.
  public func peaks(level: Int, points: Range<Int64>) throws(AudioFileError) -> [Peak] {
    let points = points.clamped(to: 0..<levels[level].pointCount)
    let offset = layout.offset(ofLevel: level) + points.lowerBound * Int64(layout.bytesPerPoint)
    let bytes = try file.bytes(at: offset, count: points.count * layout.bytesPerPoint)
    guard bytes.count == points.count * layout.bytesPerPoint else { throw .changedWhileRead(path: file.path) }
    return (0..<points.count * channelCount).map { index in
      Peak(
        minimum: Float(bitPattern: bytes.uint32(at: 8 * index)),
        maximum: Float(bitPattern: bytes.uint32(at: 8 * index + 4)))
    }
  }
}
