import DAWTime

/// The stages of a bounce, rendered block by block ahead of the threads that mix them.
///
/// Any number of threads may call `renderUntilStopped()` to render; without one, a block is rendered by the thread that
/// requests it. Never for the audio thread.
public final class RenderedAhead: Sendable {
  /// Makes an instrument's producer.
  public typealias Factory = @Sendable (InstrumentPlan) throws -> any StreamProducer

  private let origin: TimelineFrame
  private let blockFrames: Int
  private let isInline: Bool
  private let shared: Monitor<StageSchedule>

  /// - Parameters:
  ///   - origin: the timeline frame at which block 0 begins.
  ///   - warmUp: frames ≥ 0 that each stage renders before block 0; they are discarded.
  ///   - blockFrames: frames in a block, at least 1.
  ///   - blocksAhead: blocks in memory for each stage, at least 1, besides those that latency needs.
  ///   - end: no block is rendered from this number on, but those that latency needs.
  ///   - isInline: whether `withFrames` renders by itself, because no thread calls `renderUntilStopped()`.
  public init(
    _ stages: [Stage], origin: TimelineFrame = 0, warmUp: Int = 0, blockFrames: Int, blocksAhead: Int, end: Int = .max,
    isInline: Bool
  ) {
    self.origin = origin
    self.blockFrames = blockFrames
    self.isInline = isInline
    shared = Monitor(
      StageSchedule(
        stages, origin: origin, warmUp: warmUp, blockFrames: blockFrames, blocksAhead: blocksAhead, end: end))
  }

  /// Instruments; none is an input of another.
  public convenience init(
    _ plans: [InstrumentPlan], origin: TimelineFrame = 0, warmUp: Int = 0, blockFrames: Int, blocksAhead: Int,
    end: Int = .max, isInline: Bool, makeProducer: @escaping Factory
  ) {
    let stages = plans.map { plan in Stage(path: plan.soundFontPath) { try makeProducer(plan) } }
    self.init(
      stages, origin: origin, warmUp: warmUp, blockFrames: blockFrames, blocksAhead: blocksAhead, end: end,
      isInline: isInline)
  }

  /// Calls `body` with frames of a stage, after waiting for them if necessary.
  /// - Parameters:
  ///   - frame: timeline frame, in a block before `end` that has not been released; if `isInline`, in one of the next
  ///     `blocksAhead` blocks.
  ///   - frameCount: at least 1; `body` gets as many of them as lie in one block.
  /// - Throws: `StreamError.instrument`, `.stopped`, `.tooFarAhead`.
  func withFrames(
    of index: Int, from frame: TimelineFrame, atMost frameCount: Int,
    _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Void
  ) throws(StreamError) {
    let (block, place) = StageStream.place(of: frame, origin: origin, blockFrames)
    if isInline {
      // No other thread would ever render it.
      guard shared.read({ $0.mayRender(block, of: index) }) else { throw .tooFarAhead(frame: frame) }
      while shared.read({ $0.lacks(block, of: index) }) { shared.renderNext() }
    }
    let stream = try shared.wait { $0.stream(index, with: block, frame) }.get()
    let samples = stream.samples(ofBlock: block)
    body(samples.left + place, samples.right + place, min(frameCount, blockFrames - place))
  }

  /// Releases the blocks before number `block`.
  public func release(before block: Int) { shared.update { $0.release(before: block) } }

  /// Renders blocks until `stop()`, or until a stage fails.
  public func renderUntilStopped() { shared.renderUntilStopped() }

  /// Ends `renderUntilStopped()` on every thread.
  public func stop() { shared.update { $0.stop() } }

  /// Frees the stages, when no thread renders or reads any more: even if one that has ended still holds this object.
  public func free() {
    // Freed outside of the lock.
    let streams = shared.update { $0.takeStreams() }
    _ = streams
  }
}
