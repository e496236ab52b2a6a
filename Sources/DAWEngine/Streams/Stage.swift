/// A part of a plan with memory, which has to be rendered in order: an instrument, or what processes other stages.
public struct Stage: Sendable {
  /// Makes a stage's producer, on any thread.
  public typealias Factory = @Sendable () throws -> any StageProducer

  /// Indices of the stages whose frames it takes; all are less than its own.
  public var inputs: [Int]
  /// The file that an error names.
  public var path: String
  public var makeProducer: Factory

  public init(inputs: [Int] = [], path: String = "", makeProducer: @escaping Factory) {
    self.inputs = inputs
    self.path = path
    self.makeProducer = makeProducer
  }
}

/// Frames of a stage, for the stages that take them.
public struct StageFrames {
  /// Samples, full scale ±1; valid during the call of `produce`.
  public var left: UnsafePointer<Float>
  public var right: UnsafePointer<Float>
}

/// Renders a stage's frames in order. Used by one thread at a time, never the audio thread.
public protocol StageProducer: AnyObject {
  /// Renders the next frames. The sizes of the calls and the calling thread's denormal flags must not change a sample: an
  /// implementation to which they matter sets the flags itself.
  /// - Parameters:
  ///   - frameCount: at least 1.
  ///   - inputs: the same frames of each of the stage's inputs.
  ///   - left: room for `frameCount` samples, full scale ±1; overwritten.
  ///   - right: likewise.
  /// - Throws: why it cannot continue; the frames are not valid then.
  func produce(
    frameCount: Int, inputs: [StageFrames], left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws
}

/// A stage in memory: its producer and the blocks it has rendered last. Synchronised by `RenderedAhead`.
final class StageStream: @unchecked Sendable {
  private let producer: any StageProducer
  private let blockFrames: Int
  private let blockCount: Int
  private let memory: UnsafeMutablePointer<Float>

  /// - Parameter blockCount: blocks that are kept.
  init(_ producer: any StageProducer, blockFrames: Int, blockCount: Int) {
    self.producer = producer
    self.blockFrames = blockFrames
    self.blockCount = blockCount
    memory = .allocate(capacity: 2 * blockFrames * blockCount)
    memory.initialize(repeating: 0, count: 2 * blockFrames * blockCount)
  }

  deinit { memory.deallocate() }

  /// - Parameter block: one of the last that were rendered; may be negative.
  func samples(ofBlock block: Int) -> (left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    let place = block % blockCount
    let left = memory + (place < 0 ? place + blockCount : place) * 2 * blockFrames
    return (left, left + blockFrames)
  }

  /// Renders a block.
  /// - Parameters:
  ///   - frames: of the block; all but those before the stage's first.
  ///   - inputs: the stage's, all of which have the block.
  func render(block: Int, _ frames: Range<Int>, inputs: [StageStream]) throws {
    let taken = inputs.map { input in
      let samples = input.samples(ofBlock: block)
      return StageFrames(left: samples.left + frames.lowerBound, right: samples.right + frames.lowerBound)
    }
    let samples = samples(ofBlock: block)
    try producer.produce(
      frameCount: frames.count, inputs: taken, left: samples.left + frames.lowerBound,
      right: samples.right + frames.lowerBound)
  }
}
