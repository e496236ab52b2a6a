import DAWEngine
import DAWMedia
import DAWTime

/// A block of rendered output. Used by one thread at a time.
final class RenderedBlock: @unchecked Sendable {
  private(set) var left: UnsafeMutablePointer<Float>
  private(set) var right: UnsafeMutablePointer<Float>
  private(set) var frameCount = 0
  private(set) var statistics = BlockStatistics()
  /// Set if the block has been written by a `FramePlacer`; `nil` if it is still to be written.
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

  /// Renders a block.
  /// - Parameters:
  ///   - frames: at most the block's capacity.
  ///   - isUsedAtOnce: whether the samples are used before the feeder renders again; then they are not copied.
  ///   - isOutput: whether they are the bounce's, and not of a pass that another follows; those are not looked at.
  func render(
    _ frames: Range<TimelineFrame>, by feeder: DirectFeeder, isUsedAtOnce: Bool = false, isOutput: Bool = true
  ) throws(StreamError) {
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
    guard isOutput else { return }
    statistics.scan(left, frameCount)
    statistics.scan(right, frameCount)
  }

  /// Both sides, in the form that sinks take.
  func withSides<Result>(
    _ body: (UnsafeBufferPointer<UnsafePointer<Float>>) throws(AudioFileWriteError) -> Result
  ) throws(AudioFileWriteError) -> Result {
    let sides = [UnsafePointer(left), UnsafePointer(right)]
    return try sides.withUnsafeBufferPointer(body)
  }

  /// Writes the block at its position.
  /// - Parameter frame: the sink's frame.
  func place(by placer: FramePlacer, at frame: Int64) throws(AudioFileWriteError) {
    placed = try withSides { (sides) throws(AudioFileWriteError) in try placer.place(sides, frameCount, frame) }
  }
}
