import DAWTime

/// Renders a stage with all that it reads on the calling thread, apart from the stages of a bounce: in place of frames
/// that were expected elsewhere. Used by one thread at a time, never the audio thread.
public final class StageChain: StageProducer {
  private let stages: RenderedAhead
  private let last: Int
  /// The next frame.
  private var next: TimelineFrame = 0

  /// Frames rendered at a time.
  private static let blockFrames = 4_096

  /// - Parameter stages: at least one, each after those that it reads; they are rendered from timeline frame 0 on. The
  ///   frames are the last one's.
  public init(_ stages: [Stage]) {
    self.stages = RenderedAhead(stages, blockFrames: Self.blockFrames, blocksAhead: 1)
    last = stages.count - 1
  }

  public func produce(
    frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws {
    var done = 0
    while done < frameCount {
      stages.release(before: next.number / Self.blockFrames)
      var count = 0
      try stages.withFrames(of: last, from: next, atMost: frameCount - done) { samples, otherSamples, available in
        (left + done).update(from: samples, count: available)
        (right + done).update(from: otherSamples, count: available)
        count = available
      }
      done += count
      next += count
    }
  }
}
