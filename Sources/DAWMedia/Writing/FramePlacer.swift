/// Writes frames to a sink in any order, from several threads: the result depends on a frame's number alone. With it,
/// the threads of a bounce pack and write the frames that they render.
///
/// A sink gets all frames through `append`, or all through its placer, which retains it.
public struct FramePlacer: Sendable {
  /// Writes frames at their position. Any thread; each frame once.
  /// - Parameters:
  ///   - channels: as many as in the format.
  ///   - frameCount: 1 … `PlacedFrames.maximumFrames`.
  ///   - frame: the first frame, ≥ 0, a multiple of `PlacedFrames.maximumFrames`.
  public typealias Place =
    @Sendable (
      _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, _ frameCount: Int, _ frame: Int64
    ) throws(AudioFileWriteError) -> PlacedFrames

  public let place: Place
  /// Counts frames that were written. One thread, in order of the frames.
  public let count: @Sendable (PlacedFrames) -> Void
}

/// The result of writing frames with a `FramePlacer`.
public struct PlacedFrames: Sendable {
  /// Frames written at once; only the last call may have fewer.
  public static let maximumFrames = ChannelAnalysis.pieceFrames

  var frameCount: Int
  var clippedSampleCount: Int64
  /// One for each channel, if an `AnalysisStage` is in the chain.
  var analyses: [ChannelAnalysis] = []
}

extension AudioFileSink {
  public var placer: FramePlacer? { nil }
}
