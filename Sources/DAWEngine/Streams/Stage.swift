import DAWTime

/// A part of a plan with memory, which has to be rendered in order: an instrument, or what processes other stages.
public struct Stage: Sendable {
  /// Makes a stage's producer, on any thread.
  public typealias Factory = @Sendable () throws -> any StageProducer

  /// Indices of the stages whose frames it takes; all are less than its own.
  public var inputs: [Int]
  /// Frames by which it reads its inputs ahead of what it renders, ≥ 0.
  public var latency: Int
  /// The file that an error names.
  public var path: String
  public var makeProducer: Factory

  public init(inputs: [Int] = [], latency: Int = 0, path: String = "", makeProducer: @escaping Factory) {
    self.inputs = inputs
    self.latency = latency
    self.path = path
    self.makeProducer = makeProducer
  }
}

/// Frames of the stages that a stage takes, valid during a call of `produce`.
public struct StageInputs {
  let streams: [Int: StageStream]
  let origin: TimelineFrame
  let blockFrames: Int

  /// The inputs of a stage that takes none.
  public static var none: StageInputs { StageInputs(streams: [:], origin: 0, blockFrames: 1) }

  /// Calls `body` with frames of one of the stage's inputs.
  /// - Parameters:
  ///   - index: of the stage that is taken.
  ///   - frame: timeline frame, from the first of the frames that are produced to `Stage.latency` behind the last.
  ///   - frameCount: at least 1; `body` gets as many of them as lie in one block.
  /// - Returns: false if the stage has no such input; `body` is not called then.
  @discardableResult
  public func withFrames(
    of index: Int, from frame: TimelineFrame, atMost frameCount: Int,
    _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int) -> Void
  ) -> Bool {
    guard let stream = streams[index] else { return false }
    let (block, place) = StageStream.place(of: frame, origin: origin, blockFrames)
    let samples = stream.samples(ofBlock: block)
    body(samples.left + place, samples.right + place, min(frameCount, blockFrames - place))
    return true
  }
}

/// Renders a stage's frames in order. Used by one thread at a time, never the audio thread.
public protocol StageProducer: AnyObject {
  /// Renders the next frames. The sizes of the calls and the calling thread's denormal flags must not change a sample:
  /// an implementation to which they matter sets the flags itself.
  /// - Parameters:
  ///   - frameCount: at least 1.
  ///   - inputs: the stage's inputs.
  ///   - left: room for `frameCount` samples, full scale ±1; overwritten.
  ///   - right: likewise.
  /// - Throws: why it cannot continue; the frames are not valid then.
  func produce(
    frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws
}

/// A stage in memory: its producer and the blocks it has rendered last. Guarded by `StageSchedule`.
final class StageStream: @unchecked Sendable {
  let stage: Stage
  /// Made on the thread that renders the first block.
  private var producer: (any StageProducer)?
  private let blockFrames: Int
  private let blockCount: Int
  private let memory: UnsafeMutablePointer<Float>

  /// - Parameter blockCount: blocks that are kept.
  init(_ stage: Stage, blockFrames: Int, blockCount: Int) {
    self.stage = stage
    self.blockFrames = blockFrames
    self.blockCount = blockCount
    memory = .allocate(capacity: 2 * blockFrames * blockCount)
  }

  deinit { memory.deallocate() }

  /// - Parameter block: one of the last that were rendered; may be negative.
  func samples(ofBlock block: Int) -> (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    let place = block % blockCount
    let left = memory + (place < 0 ? place + blockCount : place) * 2 * blockFrames
    return (left, left + blockFrames)
  }

  /// The block that a timeline frame is in, and its place there.
  static func place(of frame: TimelineFrame, origin: TimelineFrame, _ blockFrames: Int) -> (block: Int, place: Int) {
    let distance = frame - origin
    let place = distance % blockFrames
    let isNegative = place < 0
    return (distance / blockFrames - (isNegative ? 1 : 0), isNegative ? place + blockFrames : place)
  }

  /// Renders a block.
  /// - Parameters:
  ///   - frames: of the block; all but those before the stage's first.
  ///   - inputs: the stage's, all of which have the block, and what follows it as far as the stage reads ahead.
  func render(block: Int, _ frames: Range<Int>, inputs: StageInputs) throws {
    let samples = samples(ofBlock: block)
    try begun().produce(
      frameCount: frames.count, inputs: inputs, left: samples.left + frames.lowerBound,
      right: samples.right + frames.lowerBound)
  }

  private func begun() throws -> any StageProducer {
    if let producer { return producer }
    let made = try stage.makeProducer()
    // Only now is the memory touched: the last of many stages may never begin.
    memory.initialize(repeating: 0, count: 2 * blockFrames * blockCount)
    producer = made
    return made
  }
}
