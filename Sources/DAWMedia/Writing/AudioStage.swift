/// A sink that does one thing to the samples, or looks at them, and passes them on: a bounce is a chain of these, with the
/// file at its end. What a stage does not say for itself is as the next one has it.
public protocol AudioStage: AudioFileSink {
  var next: any AudioFileSink { get }
}

extension AudioStage {
  /// What the stage takes: the format of the file, with the rate and the number of channels that samples have here.
  public var format: AudioFileFormat { next.format }
  /// Frames that have reached the file so far.
  public var frameCount: Int64 { next.frameCount }
  public var clippedSampleCount: Int64 { next.clippedSampleCount }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    let buffer = PlanarBuffer(channelCount: format.channelCount, capacity: min(frameCount, SamplePacker.maximumCount))
    var done = 0
    while done < frameCount {
      let count = min(buffer.capacity, frameCount - done)
      buffer.fill(interleaved: samples + done * format.channelCount, frameCount: count)
      try append(planar: buffer.channels, frameCount: count)
      done += count
    }
  }

  public func finish() throws(AudioFileWriteError) { try next.finish() }
  public func cancel() { next.cancel() }
}
