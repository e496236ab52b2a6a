import DAWEngine
import DAWMedia

/// A block of output. Used by one thread at a time.
final class RenderedBlock: @unchecked Sendable {
  private(set) var left: UnsafeMutablePointer<Float>
  private(set) var right: UnsafeMutablePointer<Float>
  private(set) var frameCount = 0
  private(set) var statistics = BlockStatistics()
  /// Where the block has gone already; `nil`: it is to be written.
  private(set) var placed: PlacedFrames?
  private let memory: UnsafeMutablePointer<Float>
  private let capacity: Int

  init(capacity: Int) {
    memory = .allocate(capacity: 2 * capacity)
    memory.initialize(repeating: 0, count: 2 * capacity)
    self.capacity = capacity
    left = memory
    right = memory + capacity
  }

  deinit { memory.deallocate() }

  /// - Parameters:
  ///   - frames: timeline frames, no more than the block holds.
  ///   - isUsedAtOnce: whether the samples are needed no longer than until the feeder renders on; then they are not copied
  ///     out of it.
  func render(_ frames: Range<Int64>, by feeder: DirectFeeder, isUsedAtOnce: Bool = false) throws(StreamError) {
    frameCount = frames.count
    placed = nil
    let invalidBefore = feeder.runner.invalidSampleCount
    if isUsedAtOnce, frameCount <= feeder.maximumFrames {
      try feeder.renderSlice(frame: frames.lowerBound, frameCount: frameCount)
      (left, right) = (feeder.runner.left, feeder.runner.right)
    } else {
      (left, right) = (memory, memory + capacity)
      try feeder.render(frame: frames.lowerBound, left: left, right: right, frameCount: frameCount)
    }
    statistics = BlockStatistics()
    statistics.invalidSampleCount = Int64(feeder.runner.invalidSampleCount - invalidBefore)
    statistics.scan(left, frameCount)
    statistics.scan(right, frameCount)
  }

  /// Both sides, as sinks take them.
  func withSides<Result>(
    _ body: (UnsafeBufferPointer<UnsafePointer<Float>>) throws(AudioFileWriteError) -> Result
  ) throws(AudioFileWriteError) -> Result {
    let sides = [UnsafePointer(left), UnsafePointer(right)]
    return try sides.withUnsafeBufferPointer(body)
  }

  /// Puts the block where it belongs.
  /// - Parameter frame: of the sink.
  func place(by placer: FramePlacer, at frame: Int64) throws(AudioFileWriteError) {
    placed = try withSides { (sides) throws(AudioFileWriteError) in try placer.place(sides, frameCount, frame) }
  }
}
