import DAWEngine

/// A block of output. Used by one thread at a time.
final class RenderedBlock: @unchecked Sendable {
  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  private(set) var frameCount = 0
  private(set) var statistics = BlockStatistics()

  init(capacity: Int) {
    left = .allocate(capacity: 2 * capacity)
    left.initialize(repeating: 0, count: 2 * capacity)
    right = left + capacity
  }

  deinit { left.deallocate() }

  /// - Parameter frames: timeline frames, no more than the block holds.
  func render(_ frames: Range<Int64>, by feeder: DirectFeeder) throws(StreamError) {
    frameCount = frames.count
    let invalidBefore = feeder.runner.invalidSampleCount
    try feeder.render(frame: frames.lowerBound, left: left, right: right, frameCount: frameCount)
    statistics = BlockStatistics()
    statistics.invalidSampleCount = Int64(feeder.runner.invalidSampleCount - invalidBefore)
    statistics.scan(left, frameCount)
    statistics.scan(right, frameCount)
  }
}
