/// Discards samples: the end of a chain that only measures.
public final class NullSink: AudioFileSink {
  public let format: AudioFileFormat
  public private(set) var frameCount: Int64 = 0
  public var clippedSampleCount: Int64 { 0 }

  public init(format: AudioFileFormat) { self.format = format }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) {
    self.frameCount += Int64(frameCount)
  }

  public func append(planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int) {
    self.frameCount += Int64(frameCount)
  }

  public func finish() {}
  public func cancel() {}
}
