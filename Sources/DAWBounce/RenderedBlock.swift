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
  private let directOuts: Range<Int>

  /// - Parameters:
  ///   - capacity: frames.
  ///   - directOuts: those of the plan's direct outs that it has behind the output.
  init(capacity: Int, directOuts: Range<Int> = 0..<0) {
    let count = 2 * (1 + directOuts.count) * capacity
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    self.capacity = capacity
    self.directOuts = directOuts
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
    if !directOuts.isEmpty {
      try renderAll(frames, by: feeder)
    } else if isUsedAtOnce, frameCount <= feeder.maximumFrames {
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

  /// Renders the output and the direct outs.
  private func renderAll(_ frames: Range<TimelineFrame>, by feeder: DirectFeeder) throws(StreamError) {
    (left, right) = (memory, memory + capacity)
    var done = 0
    while done < frameCount {
      let count = min(feeder.maximumFrames, frameCount - done)
      try feeder.renderSlice(frame: frames.lowerBound + done, frameCount: count)
      (left + done).update(from: feeder.runner.left, count: count)
      (right + done).update(from: feeder.runner.right, count: count)
      for (place, index) in directOuts.enumerated() {
        let (outLeft, outRight) = feeder.directOut(index)
        (side(2 + 2 * place) + done).update(from: outLeft, count: count)
        (side(3 + 2 * place) + done).update(from: outRight, count: count)
      }
      done += count
    }
    // What is no finite number is silence here as in the output, whose statistics are the bounce's.
    var unused = BlockStatistics()
    for channel in outChannels { unused.scan(side(channel), frameCount) }
  }

  private var outChannels: Range<Int> { 2..<2 + 2 * directOuts.count }

  private func side(_ channel: Int) -> UnsafeMutablePointer<Float> { memory + channel * capacity }

  /// Both sides, in the form that sinks take.
  func withSides<Result>(
    _ body: (UnsafeBufferPointer<UnsafePointer<Float>>) throws(AudioFileWriteError) -> Result
  ) throws(AudioFileWriteError) -> Result {
    let sides = [UnsafePointer(left), UnsafePointer(right)]
    return try sides.withUnsafeBufferPointer(body)
  }

  /// The sides of the direct outs, likewise.
  /// - Parameter frame: of the block, the first that is given.
  func withDirectOuts(
    from frame: Int, _ body: (UnsafeBufferPointer<UnsafePointer<Float>>) throws(AudioFileWriteError) -> Void
  ) throws(AudioFileWriteError) {
    let sides = outChannels.map { UnsafePointer(side($0) + frame) }
    try sides.withUnsafeBufferPointer(body)
  }

  /// Writes the block at its position.
  /// - Parameter frame: the sink's frame.
  func place(by placer: FramePlacer, at frame: Int64) throws(AudioFileWriteError) {
    placed = try withSides { (sides) throws(AudioFileWriteError) in try placer.place(sides, frameCount, frame) }
  }
}
