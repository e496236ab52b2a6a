import DAWTime

/// The scheduler of stages: renders them block by block, ahead of the threads that mix them.
///
/// Block b of a stage is ready to be rendered when the stage has rendered all blocks before it and its inputs have
/// rendered theirs up to b, and as far beyond as its effects are late. Nothing else orders the threads: each stage is rendered by one thread at a time, from its
/// first frame on, so the number of threads does not change a sample.
///
/// Any number of threads may call `renderUntilStopped()` to render; without one, a block is rendered by the thread that
/// requests it. Never for the audio thread.
public final class RenderedAhead: Sendable {
  /// Makes an instrument's producer.
  public typealias Factory = @Sendable (InstrumentPlan) throws -> any StreamProducer

  private let stages: [Stage]
  /// For each stage, those that take its frames.
  private let takers: [[Int]]
  private let origin: TimelineFrame
  private let warmUp: Int
  private let blockFrames: Int
  private let blocksAhead: Int
  /// For each stage, the block from which on none is rendered.
  private let ends: [Int]
  private let isInline: Bool
  /// For each stage, how many blocks beyond its own it reads.
  private let blocksBeyond: [Int]
  private let shared: Monitor<State>

  private struct State {
    var streams: [StageStream?]
    /// Whether a thread is rendering the stage.
    var isBusy: [Bool]
    /// For each stage the next block to render; those of the warm-up are negative.
    var next: [Int]
    /// Blocks released by the threads that mix.
    var released = 0
    var failure: StreamError?
    var isStopped = false
  }

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
    var takers: [[Int]] = stages.map { _ in [] }
    for (index, stage) in stages.enumerated() {
      for input in stage.inputs {
        precondition(input < index, "A stage's inputs come before it.")
        takers[input].append(index)
      }
    }
    self.stages = stages
    self.takers = takers
    self.origin = origin
    self.warmUp = warmUp
    self.blockFrames = blockFrames
    blocksBeyond = stages.map { ($0.latency + blockFrames - 1) / blockFrames }
    var depths = stages.map { _ in 0 }
    for index in stages.indices.reversed() {
      for input in stages[index].inputs { depths[input] = max(depths[input], depths[index] + blocksBeyond[index]) }
    }
    let deepest = depths.max() ?? 0
    self.blocksAhead = blocksAhead + deepest
    ends = depths.map { end == .max ? .max : end + $0 }
    self.isInline = isInline
    let first = -((warmUp + blockFrames - 1) / blockFrames)
    shared = Monitor(
      State(streams: stages.map { _ in nil }, isBusy: stages.map { _ in false }, next: stages.map { _ in first }))
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
    guard block < ends[index] else { throw .tooFarAhead(frame: frame) }
    if isInline {
      // No other thread would ever render it.
      guard shared.update({ block < $0.released + blocksAhead }) else { throw .tooFarAhead(frame: frame) }
      while shared.update({ $0.failure == nil && $0.next[index] <= block }) {
        if let job = shared.update({ take(&$0) }) { perform(job) }
      }
    }
    let outcome = shared.wait { state -> Result<StageStream, StreamError>? in
      if let failure = state.failure { return .failure(failure) }
      guard state.next[index] > block, let stream = state.streams[index] else {
        return state.isStopped ? .failure(.stopped) : nil
      }
      return .success(stream)
    }
    let stream = try outcome.get()
    let samples = stream.samples(ofBlock: block)
    body(samples.left + place, samples.right + place, min(frameCount, blockFrames - place))
  }

  /// Releases the blocks before number `block`.
  public func release(before block: Int) {
    shared.update { $0.released = max($0.released, block) }
  }

  /// Renders blocks until `stop()`.
  public func renderUntilStopped() {
    while true {
      let job = shared.wait { state -> Job?? in
        if state.isStopped || state.failure != nil { return .some(nil) }
        return take(&state).map { .some($0) }
      }
      guard let job else { return }
      perform(job)
    }
  }

  /// Ends `renderUntilStopped()` on every thread.
  public func stop() { shared.update { $0.isStopped = true } }

  /// Frees the stages, when no thread renders or reads any more: even if one that has ended still holds this object.
  public func free() {
    // Freed outside of the lock.
    let streams = shared.update { state in
      defer { state.streams = stages.map { _ in nil } }
      state.isStopped = true
      return state.streams
    }
    _ = streams
  }

  private struct Job {
    var index: Int
    var stream: StageStream?
    var inputs: StageInputs
    var block: Int
  }

  /// Takes the stage that is furthest behind, of those that are ready and not busy.
  private func take(_ state: inout State) -> Job? {
    var found: Int?
    for index in stages.indices where !state.isBusy[index] && isReady(index, state) {
      if let best = found, state.next[best] <= state.next[index] { continue }
      found = index
    }
    guard let index = found else { return nil }
    state.isBusy[index] = true
    let streams = stages[index].inputs.map { ($0, state.streams[$0]) }
    return Job(
      index: index, stream: state.streams[index],
      inputs: StageInputs(
        streams: Dictionary(streams) { first, _ in first }.compactMapValues { $0 }, origin: origin,
        blockFrames: blockFrames),
      block: state.next[index])
  }

  /// Whether a stage's next block can be rendered: its inputs have it, and nothing needs the block that it replaces.
  private func isReady(_ index: Int, _ state: State) -> Bool {
    let block = state.next[index]
    let replaced = block - blocksAhead
    return block < ends[index] && replaced < state.released
      && stages[index].inputs.allSatisfy { state.next[$0] > block + blocksBeyond[index] }
      && takers[index].allSatisfy { state.next[$0] > replaced }
  }

  private func perform(_ job: Job) {
    let result: Result<StageStream, StreamError>
    do {
      let stream =
        try job.stream
        ?? StageStream(try stages[job.index].makeProducer(), blockFrames: blockFrames, blockCount: blocksAhead)
      // The first block of a warm-up may begin in its middle.
      let first = max(0, -warmUp - job.block * blockFrames)
      try stream.render(block: job.block, first..<blockFrames, inputs: job.inputs)
      result = .success(stream)
    } catch let error as StreamError {
      result = .failure(error)
    } catch {
      result = .failure(.instrument(path: stages[job.index].path, reason: String(describing: error)))
    }
    shared.update { state in
      state.isBusy[job.index] = false
      switch result {
      case .success(let stream):
        state.streams[job.index] = stream
        state.next[job.index] += 1
      case .failure(let error): state.failure = state.failure ?? error
      }
    }
  }
}
