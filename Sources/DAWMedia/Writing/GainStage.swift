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
