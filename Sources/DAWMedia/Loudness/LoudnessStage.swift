/// Measures how loud what passes is. Its true peak is what costs.
public final class LoudnessStage: AudioStage {
  public let next: any AudioFileSink
  private let meter: LoudnessMeter
  private let interleaved: UnsafeMutablePointer<Float>

  /// - Throws: `LoudnessError.unavailable`.
  public init(next: any AudioFileSink) throws(LoudnessError) {
    self.next = next
    meter = try LoudnessMeter(sampleRate: next.format.sampleRate, channelCount: next.format.channelCount)
    interleaved = .allocate(capacity: SamplePacker.maximumCount)
  }

  deinit { interleaved.deallocate() }

  /// Of all that has passed.
  public var loudness: Loudness { meter.loudness }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      let count = min(SamplePacker.maximumCount / channels.count, frameCount - done)
      Samples.interleave(channels, from: done, frames: count, into: interleaved)
      meter.add(interleaved: interleaved, frameCount: count)
      done += count
    }
    try next.append(planar: channels, frameCount: frameCount)
  }
}
