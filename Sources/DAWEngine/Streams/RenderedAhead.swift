import DAWTime

/// The stages of a bounce, rendered block by block ahead of the threads that mix them.
///
/// A thread that waits for a block renders what is furthest behind meanwhile. Never for the audio thread.
public final class RenderedAhead: Sendable {
  /// Makes an instrument's producer.
  public typealias Factory = @Sendable (InstrumentPlan) throws -> any StreamProducer

  private let origin: TimelineFrame
  private let blockFrames: Int
  let shared: Monitor<StageSchedule>

  /// - Parameters:
  ///   - origin: the timeline frame at which block 0 begins.
  ///   - warmUp: frames ≥ 0 that each stage renders before block 0; they are discarded.
  ///   - blockFrames: frames in a block, at least 1.
  ///   - blocksAhead: blocks in memory for each stage, at least 1, besides those that latency needs.
  ///   - end: no block is rendered from this number on, but those that latency needs.
  public init(
    _ stages: [Stage], origin: TimelineFrame = 0, warmUp: Int = 0, blockFrames: Int, blocksAhead: Int, end: Int = .max
  ) {
    self.origin = origin
    self.blockFrames = blockFrames
    shared = Monitor(
      StageSchedule(
        stages, origin: origin, warmUp: warmUp, blockFrames: blockFrames, blocksAhead: blocksAhead, end: end))
  }

  /// Instruments; none is an input of another.
  public convenience init(
    _ plans: [InstrumentPlan], origin: TimelineFrame = 0, warmUp: Int = 0, blockFrames: Int, blocksAhead: Int,
    end: Int = .max, makeProducer: @escaping Factory
  ) {
    let stages = plans.map { plan in Stage(path: plan.soundFontPath) { try makeProducer(plan) } }
    self.init(
      stages, origin: origin, warmUp: warmUp, blockFrames: blockFrames, blocksAhead: blocksAhead, end: end)
  }

  /// Calls `body` with frames of a stage, after waiting for them if necessary.
  /// - Parameters:
  ///   - frame: timeline frame, in a block before `end`, one of the `blocksAhead` from the first that has not been
  ///     released.
  ///   - frameCount: at least 1; `body` gets as many of them as lie in one block.
  /// - Throws: `StreamError.instrument`, `.stopped`, `.tooFarAhead`.
  func withFrames(
    of index: Int, from frame: TimelineFrame, atMost frameCount: Int,
    _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Void
  ) throws(StreamError) {
    let (block, place) = StageStream.place(of: frame, origin: origin, blockFrames)
    let stream = try shared.render { $0.stream(index, with: block, frame) }.get()
    let samples = stream.samples(ofBlock: block)
    body(samples.left + place, samples.right + place, min(frameCount, blockFrames - place))
  }

  /// Releases the blocks before number `block`.
  public func release(before block: Int) { shared.update { $0.release(before: block) } }

  /// Ends every thread's wait for blocks that are not there yet.
  public func stop() { shared.update { $0.stop() } }

  /// Frees the stages, when no thread renders or reads any more: even if one that has ended still holds this object.
  public func free() {
    // Freed outside of the lock.
    let streams = shared.update { $0.takeStreams() }
    _ = streams
  }
}
