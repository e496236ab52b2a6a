/// Measures loudness. Most of its cost is the true peak.
public final class LoudnessStage: AudioStage {
  public let next: any AudioFileSink
  private let meter: LoudnessMeter
  private let slices: SliceBuffer

  /// - Throws: `LoudnessError.unavailable`.
  public init(next: any AudioFileSink) throws(LoudnessError) {
    self.next = next
    meter = try LoudnessMeter(sampleRate: next.format.sampleRate, channelCount: next.format.channelCount)
    slices = SliceBuffer(channelCount: next.format.channelCount)
  }

  /// The loudness of all frames so far.
  public var loudness: Loudness { meter.loudness }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    try slices.slice(planar: channels, frameCount: frameCount) { samples, count in
      meter.add(interleaved: samples, frameCount: count)
    }
    try next.append(planar: channels, frameCount: frameCount)
  }
}
