/// The way into a sink for frames in any order, from several threads at once: what becomes of a frame depends on its number
/// alone. So the threads of a bounce pack and write what they render themselves.
///
/// A sink is given all its frames by `append`, or all by its placer, and is kept alive by it.
public struct FramePlacer: Sendable {
  /// Puts frames where they will lie. Any thread; each frame once.
  /// - Parameters:
  ///   - channels: as many as the format has.
  ///   - frameCount: 1 … `PlacedFrames.mostFrames`.
  ///   - frame: the number of the first one, ≥ 0, a multiple of `PlacedFrames.mostFrames`.
  public typealias Place =
    @Sendable (
      _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, _ frameCount: Int, _ frame: Int64
    ) throws(AudioFileWriteError) -> PlacedFrames

  public let place: Place
  /// Counts what was placed as taken. One thread, in the order of the frames.
  public let count: @Sendable (PlacedFrames) -> Void
}

/// What came of frames that were placed.
public struct PlacedFrames: Sendable {
  /// Frames that are placed at once; only the last ones may be fewer.
  public static let mostFrames = ChannelAnalysis.pieceFrames

  var frameCount: Int
  var clippedSampleCount: Int64
  /// One for each channel, where somebody asked.
  var analyses: [ChannelAnalysis] = []
}

extension AudioFileSink {
  public var placer: FramePlacer? { nil }
}
