import DAWMedia

/// Keeps some of the frames that go through, as bits, and drops the rest. Used by one thread at a time.
final class FramesSink: AudioFileSink {
  let format: AudioFileFormat
  private let frames: Range<Int64>
  private(set) var frameCount: Int64 = 0
  /// Interleaved.
  private(set) var bits: [UInt32] = []

  /// - Parameter frames: counted from the first that comes.
  init(format: AudioFileFormat, frames: Range<Int64>) {
    self.format = format
    self.frames = frames
  }

  var clippedSampleCount: Int64 { 0 }

  func append(interleaved samples: UnsafePointer<Float>, frameCount count: Int) {
    for frame in kept(of: count) {
      bits.append(samples[2 * frame].bitPattern)
      bits.append(samples[2 * frame + 1].bitPattern)
    }
    frameCount += Int64(count)
  }

  func append(planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount count: Int) {
    for frame in kept(of: count) {
      bits.append(channels[0][frame].bitPattern)
      bits.append(channels[1][frame].bitPattern)
    }
    frameCount += Int64(count)
  }

  func finish() {}
  func cancel() {}

  /// Which of the next frames.
  private func kept(of count: Int) -> Range<Int> {
    frames.clamped(to: frameCount..<frameCount + Int64(count)).shifted(by: -frameCount)
  }
}

extension Range<Int64> {
  fileprivate func shifted(by distance: Int64) -> Range<Int> {
    Int(lowerBound + distance)..<Int(upperBound + distance)
  }
}
