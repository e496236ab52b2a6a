/// Mixes two channels to one, `(left + right) × 0.5`, which keeps the level of equal sides.
public final class MonoStage: AudioStage {
  public let next: any AudioFileSink
  private let mean: PlanarBuffer

  /// - Parameter next: the next sink, with one channel.
  public init(next: any AudioFileSink) {
    self.next = next
    mean = PlanarBuffer(channelCount: 1, capacity: SamplePacker.maximumCount)
  }

  public var format: AudioFileFormat {
    var format = next.format
    format.channelCount = 2
    return format
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    let target = mean.mutableChannels[0]
    var done = 0
    while done < frameCount {
      let count = min(mean.capacity, frameCount - done)
      let left = channels[0] + done
      let right = channels[1] + done
      for frame in 0..<count { target[frame] = (left[frame] + right[frame]) * 0.5 }
      try next.append(planar: mean.channels, frameCount: count)
      done += count
    }
  }
}
