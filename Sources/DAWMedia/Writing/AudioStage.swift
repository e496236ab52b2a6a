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

/// Multiplies every sample by a gain.
public final class GainStage: AudioStage {
  public let next: any AudioFileSink
  /// Linear, ≥ 0.
  public let gain: Float
  private let buffer: PlanarBuffer

  public init(gain: Float, next: any AudioFileSink) {
    self.next = next
    self.gain = gain
    buffer = PlanarBuffer(channelCount: next.format.channelCount, capacity: SamplePacker.maximumCount)
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      let count = min(buffer.capacity, frameCount - done)
      for (channel, target) in buffer.mutableChannels.enumerated() {
        let source = channels[channel] + done
        for frame in 0..<count { target[frame] = source[frame] * gain }
      }
      try next.append(planar: buffer.channels, frameCount: count)
      done += count
    }
  }
}

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
