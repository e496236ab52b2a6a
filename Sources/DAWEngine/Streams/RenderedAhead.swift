/// The instruments of a plan, rendered block by block ahead of the threads that mix them.
///
/// Any number of threads may call `renderUntilStopped()` to render; without one, a block is rendered by the thread that
/// requests it. Each instrument is rendered by one thread at a time, from its first frame on, so the number of threads
/// does not change a sample. Never for the audio thread.
public final class RenderedAhead: Sendable {
  /// Makes an instrument's producer.
  public typealias Factory = @Sendable (InstrumentPlan) throws -> any StreamProducer

  private let plans: [InstrumentPlan]
  private let makeProducer: Factory
  private let origin: Int64
  private let warmUp: Int64
  private let blockFrames: Int
  private let blocksAhead: Int
  private let isInline: Bool
  private let shared: Monitor<State>

  private struct State {
    var streams: [RenderedStream?]
    /// Whether a thread is rendering the stream.
    var isBusy: [Bool]
    /// Blocks rendered so far.
    var rendered: [Int]
    /// Blocks released.
    var released = 0
    var failure: StreamError?
    var isStopped = false
  }

  /// - Parameters:
  ///   - origin: the timeline frame at which block 0 begins.
  ///   - warmUp: frames ≥ 0 that each instrument renders before block 0; they are discarded.
  ///   - blockFrames: frames in a block, at least 1.
  ///   - blocksAhead: blocks in memory for each instrument, at least 1.
  ///   - isInline: whether `withFrames` renders by itself, because no thread calls `renderUntilStopped()`.
  public init(
    _ plans: [InstrumentPlan], origin: Int64 = 0, warmUp: Int64 = 0, blockFrames: Int, blocksAhead: Int, isInline: Bool,
    makeProducer: @escaping Factory
  ) {
    self.plans = plans
    self.makeProducer = makeProducer
    self.origin = origin
    self.warmUp = warmUp
    self.blockFrames = blockFrames
    self.blocksAhead = blocksAhead
    self.isInline = isInline
    shared = Monitor(
      State(
        streams: plans.map { _ in nil }, isBusy: plans.map { _ in false }, rendered: plans.map { _ in 0 }))
  }

  /// Calls `body` with frames of an instrument, after waiting for them if necessary.
  /// - Parameters:
  ///   - frame: timeline frame, in a block that has not been released; if `isInline`, in one of the next
  ///     `blocksAhead` blocks.
  ///   - frameCount: at least 1; `body` gets as many of them as lie in one block.
  /// - Throws: `StreamError.instrument`, `.stopped`, `.tooFarAhead`.
  func withFrames(
    of index: Int, from frame: Int64, atMost frameCount: Int,
    _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Void
  ) throws(StreamError) {
    let block = Int(frame - origin) / blockFrames
    let place = Int(frame - origin) - block * blockFrames
    if isInline {
      // No other thread would ever render it.
      guard shared.update({ block < $0.released + blocksAhead }) else { throw .tooFarAhead(frame: frame) }
      while shared.update({ $0.failure == nil && $0.rendered[index] <= block }) {
        if let job = shared.update({ take(&$0, only: index) }) { perform(job) }
      }
    }
    let outcome = shared.wait { state -> Result<RenderedStream, StreamError>? in
      if let failure = state.failure { return .failure(failure) }
      guard state.rendered[index] > block, let stream = state.streams[index] else {
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

  private struct Job {
    var index: Int
    var stream: RenderedStream?
    var block: Int
  }

  /// Takes the instrument that is furthest behind, of those that have room and are not busy.
  private func take(_ state: inout State, only wanted: Int? = nil) -> Job? {
    let candidates = wanted.map { $0..<($0 + 1) } ?? plans.indices
    let free = candidates.filter { !state.isBusy[$0] && state.rendered[$0] < state.released + blocksAhead }
    guard let index = free.min(by: { state.rendered[$0] < state.rendered[$1] }) else { return nil }
    state.isBusy[index] = true
    return Job(index: index, stream: state.streams[index], block: state.rendered[index])
  }

  private func perform(_ job: Job) {
    let result: Result<RenderedStream, StreamError>
    do {
      let stream = try job.stream ?? makeStream(job.index)
      try stream.render(block: job.block)
      result = .success(stream)
    } catch let error as StreamError {
      result = .failure(error)
    } catch {
      result = .failure(.instrument(path: plans[job.index].soundFontPath, reason: String(describing: error)))
    }
    shared.update { state in
      state.isBusy[job.index] = false
      switch result {
      case .success(let stream):
        state.streams[job.index] = stream
        state.rendered[job.index] += 1
      case .failure(let error): state.failure = state.failure ?? error
      }
    }
  }

  private func makeStream(_ index: Int) throws -> RenderedStream {
    let producer = try makeProducer(plans[index])
    let stream = RenderedStream(producer, blockFrames: blockFrames, blockCount: blocksAhead)
    try stream.skip(warmUp)
    return stream
  }
}

/// One instrument and its rendered blocks. Synchronised by `RenderedAhead`.
private final class RenderedStream: @unchecked Sendable {
  private let producer: any StreamProducer
  private let blockFrames: Int
  private let blockCount: Int
  private let memory: UnsafeMutablePointer<Float>

  init(_ producer: any StreamProducer, blockFrames: Int, blockCount: Int) {
    self.producer = producer
    self.blockFrames = blockFrames
    self.blockCount = blockCount
    memory = .allocate(capacity: 2 * blockFrames * blockCount)
    memory.initialize(repeating: 0, count: 2 * blockFrames * blockCount)
  }

  deinit { memory.deallocate() }

  func samples(ofBlock block: Int) -> (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    let left = memory + (block % blockCount) * 2 * blockFrames
    return (left, left + blockFrames)
  }

  func render(block: Int) throws {
    let samples = samples(ofBlock: block)
    try producer.produce(frameCount: blockFrames, left: samples.left, right: samples.right)
  }

  /// Renders frames and discards them.
  func skip(_ frameCount: Int64) throws {
    let samples = samples(ofBlock: 0)
    var remaining = frameCount
    while remaining > 0 {
      let count = Int(min(remaining, Int64(blockFrames)))
      try producer.produce(frameCount: count, left: samples.left, right: samples.right)
      remaining -= Int64(count)
    }
  }
}
