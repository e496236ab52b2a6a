/// A sink that processes or measures samples and passes them on to the next: a bounce is a chain of stages with the
/// file at its end. Requirements that a stage does not implement are forwarded to `next`.
public protocol AudioStage: AudioFileSink {
  var next: any AudioFileSink { get }
}

extension AudioStage {
  /// The input format: the file's, with the rate and number of channels at this stage.
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
