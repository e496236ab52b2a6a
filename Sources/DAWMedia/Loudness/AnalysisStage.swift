/// Measures peak, DC offset, and the first and last audible frame. Its cost is small compared to writing a file.
///
/// Used by one thread at a time, except for the placer.
public final class AnalysisStage: AudioStage, @unchecked Sendable {
  public let next: any AudioFileSink
  private var analyses: [ChannelAnalysis]

  public init(next: any AudioFileSink) {
    self.next = next
    analyses = Array(repeating: ChannelAnalysis(), count: next.format.channelCount)
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    for (channel, samples) in channels.enumerated() { analyses[channel].add(samples, count: frameCount) }
    try next.append(planar: channels, frameCount: frameCount)
  }

  public var placer: FramePlacer? {
    next.placer.map { next in
      FramePlacer { (channels, frameCount, frame) throws(AudioFileWriteError) in
        var placed = try next.place(channels, frameCount, frame)
        placed.analyses = channels.map { samples in
          var analysis = ChannelAnalysis()
          analysis.add(samples, count: frameCount)
          return analysis
        }
        return placed
      } count: { frames in
        for channel in self.analyses.indices { self.analyses[channel].add(frames.analyses[channel]) }
        next.count(frames)
      }
    }
  }

  /// Statistics of all frames so far.
  public var statistics: SignalStatistics {
    let (first, last) = (analyses.compactMap(\.firstAudible).min(), analyses.compactMap(\.lastAudible).max())
    var statistics = SignalStatistics(
      peak: analyses.map(\.peak).max() ?? 0, offsets: analyses.map(\.mean), firstAudibleFrame: first,
      lastAudibleFrame: last)
    if let first, let last {
      let count = Double(last - first + 1) / Double(ChannelAnalysis.squareStep) * Double(analyses.count)
      statistics.rms = (analyses.map(\.squareSum).reduce(0, +) / count).squareRoot()
    }
    return statistics
  }
}
