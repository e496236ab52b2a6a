import DAWTime

/// Which block of which stage is rendered next.
///
/// Block b of a stage can be rendered when the stage has rendered all blocks before it, and its inputs have rendered
/// theirs up to b, and as far beyond as its effects are late. Nothing else orders the threads.
struct StageSchedule: RenderSchedule {
  /// Each with the blocks that it has rendered last; empty once they are freed.
  private var streams: [StageStream]
  /// For each stage, those whose frames it takes, and those that take its frames.
  private let inputs: [[Int]]
  private let takers: [[Int]]
  /// For each stage, how many blocks beyond its own it reads.
  private let blocksBeyond: [Int]
  /// For each stage, the block from which on none is rendered.
  private let ends: [Int]
  private let origin: TimelineFrame
  private let warmUp: Int
  private let blockFrames: Int
  private let blocksAhead: Int
  /// Whether a thread is rendering the stage.
  private var isBusy: [Bool]
  /// For each stage the next block to render; those of the warm-up are negative.
  private var next: [Int]
  /// Blocks released by the threads that mix.
  private var released = 0
  private var failure: StreamError?
  private var wasStopped = false

  /// - SeeAlso: `RenderedAhead.init`.
  init(_ stages: [Stage], origin: TimelineFrame, warmUp: Int, blockFrames: Int, blocksAhead: Int, end: Int) {
    inputs = stages.map(\.inputs)
    var takers: [[Int]] = stages.map { _ in [] }
    for (index, stage) in stages.enumerated() {
      for input in stage.inputs {
        precondition(input < index, "A stage's inputs come before it.")
        takers[input].append(index)
      }
    }
    self.takers = takers
    blocksBeyond = stages.map { ($0.latency + blockFrames - 1) / blockFrames }
    var depths = stages.map { _ in 0 }
    for index in stages.indices.reversed() {
      for input in inputs[index] { depths[input] = max(depths[input], depths[index] + blocksBeyond[index]) }
    }
    let blocks = blocksAhead + (depths.max() ?? 0)
    self.blocksAhead = blocks
    ends = depths.map { end == .max ? .max : end + $0 }
    streams = stages.map { StageStream($0, blockFrames: blockFrames, blockCount: blocks) }
    isBusy = stages.map { _ in false }
    let first = -((warmUp + blockFrames - 1) / blockFrames)
    next = stages.map { _ in first }
    self.origin = origin
    self.warmUp = warmUp
    self.blockFrames = blockFrames
  }

  // MARK: Reading

  /// - Returns: a stage's stream that has a block; `nil` while it has not.
  func stream(_ index: Int, with block: Int, _ frame: TimelineFrame) -> Result<StageStream, StreamError>? {
    // Nothing would ever render it.
    guard block < ends[index], block < released + blocksAhead else { return .failure(.tooFarAhead(frame: frame)) }
    if let failure { return .failure(failure) }
    if next[index] > block, !streams.isEmpty { return .success(streams[index]) }
    return wasStopped ? .failure(.stopped) : nil
  }

  mutating func release(before block: Int) { released = max(released, block) }

  mutating func stop() { wasStopped = true }

  /// Stops, and hands the streams over.
  mutating func takeStreams() -> [StageStream] {
    defer { streams = [] }
    wasStopped = true
    return streams
  }

  // MARK: Rendering

  /// A block of a stage.
  struct Piece: RenderPiece {
    fileprivate let index: Int
    fileprivate let stream: StageStream
    fileprivate let inputs: StageInputs
    fileprivate let block: Int
    /// Those to render: the first block of a warm-up may begin in its middle.
    fileprivate let frames: Range<Int>
    fileprivate var failure: StreamError?

    mutating func render() {
      do {
        try stream.render(block: block, frames, inputs: inputs)
      } catch let error as StreamError {
        failure = error
      } catch {
        failure = .instrument(path: stream.stage.path, reason: String(describing: error))
      }
    }
  }

  var isStopped: Bool { wasStopped || failure != nil }
  var pollSeconds: Double? { nil }

  mutating func take() -> Piece? {
    var found: Int?
    for index in streams.indices where !isBusy[index] && isReady(index) {
      if let best = found, next[best] <= next[index] { continue }
      found = index
    }
    guard let index = found else { return nil }
    isBusy[index] = true
    let inputs = Dictionary(inputs[index].map { ($0, streams[$0]) }) { first, _ in first }
    let block = next[index]
    return Piece(
      index: index, stream: streams[index],
      inputs: StageInputs(streams: inputs, origin: origin, blockFrames: blockFrames), block: block,
      frames: max(0, -warmUp - block * blockFrames)..<blockFrames)
  }

  /// Whether a stage's next block can be rendered: its inputs have it, and nothing needs the block that it replaces.
  private func isReady(_ index: Int) -> Bool {
    let block = next[index]
    let replaced = block - blocksAhead
    return block < ends[index] && replaced < released
      && inputs[index].allSatisfy { next[$0] > block + blocksBeyond[index] }
      && takers[index].allSatisfy { next[$0] > replaced }
  }

  mutating func finish(_ piece: Piece) {
    isBusy[piece.index] = false
    if let failure = piece.failure { self.failure = self.failure ?? failure } else { next[piece.index] += 1 }
  }
}
