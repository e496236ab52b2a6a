import DAWEngine
import DAWMedia
import DAWTime
import Foundation

/// The state of a bounce, or of one of its passes.
final class BounceRun: Sendable {
  private let range: Range<TimelineFrame>
  private let blockFrames: Int
  private let threadCount: Int
  /// Those of the plan's direct outs that are taken.
  private let directOuts: Range<Int>
  private let instructions: Instructions
  /// The instruments, what else the plan plays, and its parts that have effects.
  private let stages: RenderedAhead
  private let streams: DirectStreams
  private let buffers: PassBuffers
  /// Whether the pass is the last: only then is there an output.
  private let isOutput: Bool
  /// Lets threads write their blocks at any position; `nil`: the calling thread writes them in order.
  private let placer: FramePlacer?
  private let shared: Monitor<State>
  private let cache: RenderCache?
  /// Whether strips are rendered on behind the end: they are kept, and none is read that may end there.
  private let rendersBeyondEnd: Bool
  /// The keys of the buffers that a pass leaves.
  let keptKeys: [SignalKey?]

  private struct State {
    /// Blocks taken by threads.
    var taken = 0
    /// Blocks written.
    var written = 0
    /// A ring of blocks to be written, at their number modulo its size.
    var slots: [RenderedBlock?]
    /// Blocks for reuse.
    var spare: [RenderedBlock] = []
    var failure: BounceError?
    var isStopped = false
    var runningThreads = 0

    /// Whether there is a block to render, and room for it.
    func canTake(of blockCount: Int) -> Bool { taken < min(blockCount, written + slots.count) }
  }

  /// Frames in the longest slice: few enough that its buffers fit the L2 cache.
  static let maximumSliceFrames = 16_384
  /// Frames rendered behind the end of a bounce that is long enough, for the renders that are kept: after an edit the
  /// sound may ring on a little longer, and a render that ends too early would be made anew from the start.
  private static let framesBeyondEnd = 48_000
  /// Frames in a block of a plan with stages.
  private static let mostStageFrames = 8_192
  /// Frames in all that a block has of outputs: fewer in each where there are many direct outs.
  private static let mostOutputFrames = 262_144

  /// - Parameters:
  ///   - given: what the pass plays behind its instruments.
  ///   - restored: the keys of the buffers that it finds filled.
  ///   - buffers: what it finds and leaves.
  ///   - sink: the sink that is later passed to `render`; `nil` for a pass that is not the last.
  ///   - takesDirectOuts: whether there is one for direct outs, if the pass completes some.
  init(
    _ pass: PlanPass, given: [BounceStream], restored: [Int: SignalKey], buffers: PassBuffers, of kept: KeptStages,
    into sink: (any AudioFileSink)?, takesDirectOuts: Bool, options: BounceOptions, renderer: StageRenderer
  ) {
    let plan = pass.plan
    range = options.range
    directOuts = takesDirectOuts ? pass.completedOuts.indices : 0..<0
    // The blocks of all stages and outputs lie in memory: less of it is faster.
    let mostFrames = min(
      plan.inserts.isEmpty ? Int.max : Self.mostStageFrames,
      directOuts.isEmpty ? Int.max : max(512, Self.mostOutputFrames / (1 + directOuts.count)))
    blockFrames = max(1, min(options.blockFrames, mostFrames))
    threadCount = max(1, options.threadCount)
    instructions = options.instructions
    let isPlaced = blockFrames == PlacedFrames.maximumFrames && threadCount > 1 && directOuts.isEmpty
    placer = isPlaced ? sink?.placer : nil
    self.buffers = buffers
    isOutput = sink != nil
    let first = range.lowerBound
    let staged = plan.staged(givenCount: given.count)
    let keys = kept.ends.isEmpty ? nil : renderer.cache?.keys(of: plan, streams: given.map(\.key), restored: restored)
    keptKeys = buffers.kept.map { keys?.ofBuffers[$0] }
    let made = renderer.stages(of: plan, staged, given: given, kept: kept, keys: keys, options: options)
    stages = RenderedAhead(
      made, origin: first, warmUp: first - options.firstFrame, blockFrames: blockFrames,
      blocksAhead: 2 * threadCount + 2,
      end: (range.count + blockFrames - 1) / blockFrames)
    cache = renderer.cache
    rendersBeyondEnd = renderer.cache != nil && !kept.ends.isEmpty && kept.streams.isEmpty
    streams = DirectStreams(staged.rest, instruments: stages, openReader: renderer.openReader)
    shared = Monitor(State(slots: [RenderedBlock?](repeating: nil, count: 2 * threadCount + 2)))
  }

  private var blockCount: Int { (range.count + blockFrames - 1) / blockFrames }

  private func frames(of block: Int) -> Range<TimelineFrame> {
    let start = range.lowerBound + block * blockFrames
    return start..<min(start + blockFrames, range.upperBound)
  }

  /// - Parameter directOuts: their sink, and the frames that it gets, of which the pass may render more.
  func render(
    to sink: (any AudioFileSink)?, directOuts: (sink: any AudioFileSink, frames: Range<TimelineFrame>)?,
    progress: (Int64) -> Void, isEnough: () -> Bool, isCancelled: () -> Bool
  ) throws(BounceError) -> BlockStatistics {
    defer { stages.free() }
    cache?.isStopped = false
    startThreads()
    defer { stopThreads() }
    let feeder = makeFeeder()
    var statistics = BlockStatistics()
    var number = 0
    /// Where it is enough, the block up to which strips are rendered on.
    var end: Int?
    while number < blockCount {
      // The calling thread renders too, and waits only while the others have all that may be rendered now.
      if let next = takeBlock(isWaiting: false) { renderBlock(next, by: feeder) }
      while number < blockCount, let block = try finished(number) {
        if isCancelled() { throw .cancelled }
        if end == nil, isEnough() {
          guard rendersBeyondEnd else { return statistics }
          // The next bounce reads ahead of its own end as well: its blocks, and those of its stages.
          let ahead = 2 * (2 * threadCount + 2)
          end = number + min(number, max(1, Self.framesBeyondEnd / blockFrames) + ahead)
        }
        if let end {
          if number >= end { return statistics }
        } else {
          if let placed = block.placed { placer?.count(placed) } else if let sink { try write(block, to: sink) }
          if let directOuts { try write(directOutsOf: block, number, to: directOuts.sink, directOuts.frames) }
          statistics.add(block.statistics)
        }
        // Before another may be taken.
        stages.release(before: number + 1)
        shared.update { state in
          state.spare.append(block)
          state.slots[number % state.slots.count] = nil
          state.written += 1
        }
        progress(Int64(frames(of: number).upperBound - range.lowerBound))
        number += 1
      }
    }
    return statistics
  }

  /// - Returns: a block that has been rendered; `nil` if it has not, and there are others to render meanwhile.
  private func finished(_ number: Int) throws(BounceError) -> RenderedBlock? {
    let outcome = shared.wait { state -> Result<RenderedBlock?, BounceError>? in
      if let failure = state.failure { return .failure(failure) }
      if let block = state.slots[number % state.slots.count] { return .success(block) }
      return state.canTake(of: blockCount) ? .success(nil) : nil
    }
    return try outcome.get()
  }

  private func write(_ block: RenderedBlock, to sink: any AudioFileSink) throws(BounceError) {
    do throws(AudioFileWriteError) {
      try block.withSides { (sides) throws(AudioFileWriteError) in
        try sink.append(planar: sides, frameCount: block.frameCount)
      }
    } catch {
      throw .sink(error)
    }
  }

  private func write(
    directOutsOf block: RenderedBlock, _ number: Int, to sink: any AudioFileSink, _ wanted: Range<TimelineFrame>
  ) throws(BounceError) {
    let own = frames(of: number)
    let frames = own.clamped(to: wanted)
    guard !frames.isEmpty else { return }
    do throws(AudioFileWriteError) {
      try block.withDirectOuts(from: frames.lowerBound - own.lowerBound) { (sides) throws(AudioFileWriteError) in
        try sink.append(planar: sides, frameCount: frames.count)
      }
    } catch {
      throw .sink(error)
    }
  }

  private func makeFeeder() -> DirectFeeder {
    DirectFeeder(
      streams, buffers: buffers, maximumFrames: min(blockFrames, Self.maximumSliceFrames), instructions: instructions)
  }

  private func startThreads() {
    // Beside the calling thread.
    shared.update { $0.runningThreads = threadCount - 1 }
    for _ in 1..<threadCount {
      Thread { [self] in
        renderBlocks()
        shared.update { $0.runningThreads -= 1 }
      }.start()
    }
  }

  private func stopThreads() {
    shared.update { $0.isStopped = true }
    stages.stop()
    cache?.isStopped = true
    shared.wait { $0.runningThreads == 0 ? () : nil }
  }

  /// A thread's loop: renders blocks until none is left.
  private func renderBlocks() {
    let feeder = makeFeeder()
    while let number = takeBlock(isWaiting: true) { renderBlock(number, by: feeder) }
  }

  private func renderBlock(_ number: Int, by feeder: DirectFeeder) {
    let block =
      shared.update { $0.spare.popLast() } ?? RenderedBlock(capacity: blockFrames, directOuts: directOuts)
    do throws(BounceError) {
      try render(number, in: block, by: feeder)
      shared.update { state in state.slots[number % state.slots.count] = block }
    } catch {
      shared.update { state in state.failure = state.failure ?? error }
    }
  }

  private func render(_ number: Int, in block: RenderedBlock, by feeder: DirectFeeder) throws(BounceError) {
    let frames = frames(of: number)
    do throws(StreamError) {
      let isUsedAtOnce = placer != nil || !isOutput || threadCount == 1
      try block.render(frames, by: feeder, isUsedAtOnce: isUsedAtOnce, isOutput: isOutput)
    } catch {
      throw .stream(error)
    }
    guard let placer else { return }
    do throws(AudioFileWriteError) {
      try block.place(by: placer, at: Int64(frames.lowerBound - range.lowerBound))
    } catch {
      throw .sink(error)
    }
  }

  /// - Parameter isWaiting: whether it waits until a block may be rendered.
  /// - Returns: the next block to render; `nil` if none is left, or none may be rendered now.
  private func takeBlock(isWaiting: Bool) -> Int? {
    shared.wait { state -> Int?? in
      if state.isStopped || state.failure != nil || state.taken == blockCount { return .some(nil) }
      guard state.canTake(of: blockCount) else { return isWaiting ? nil : .some(nil) }
      state.taken += 1
      return .some(state.taken - 1)
    }
  }
}
