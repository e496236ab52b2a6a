import DAWEngine
import DAWMedia

/// Keeps true peaks below a ceiling, with the limiter that strips can have. What comes out has the length and the place
/// of what comes in. Used by one thread at a time.
public final class LimiterStage: AudioStage {
  public let next: any AudioFileSink
  private let limiter: EffectState
  private let values: [Double]
  private let buffer: PlanarBuffer
  /// Frames still to be left out: what the limiter had before the first one.
  private var early: Int
  /// Frames since the start, for the limiter's knots.
  private var frame = 0

  /// dBTP.
  public static let lowestCeiling = EffectKind.limiter.ranges[0].lowerBound
  private static let lookAhead = 5.0
  /// Frames limited at a time.
  private static let pieceFrames = 4_096

  /// - Parameters:
  ///   - ceiling: dBTP, −24 … 0.
  ///   - next: one or two channels.
  public init(ceiling: Double, next: any AudioFileSink) {
    self.next = next
    limiter = EffectState(
      EffectSetup(kind: .limiter, sampleRate: next.format.sampleRate.hertz, lookAhead: Self.lookAhead))
    values = [ceiling, EffectKind.limiter.defaults[1], Self.lookAhead]
    buffer = PlanarBuffer(channelCount: next.format.channelCount, capacity: Self.pieceFrames)
    early = limiter.latency
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      let count = min(buffer.capacity, frameCount - done)
      for (channel, target) in buffer.mutableChannels.enumerated() {
        target.update(from: channels[channel] + done, count: count)
      }
      try process(count)
      done += count
    }
  }

  public func finish() throws(AudioFileWriteError) {
    try flush()
    try next.finish()
  }

  /// Passes on what the limiter still holds, when all samples have come.
  public func flush() throws(AudioFileWriteError) {
    var left = limiter.latency
    while left > 0 {
      let count = min(buffer.capacity, left)
      for target in buffer.mutableChannels { target.update(repeating: 0, count: count) }
      try process(count)
      left -= count
    }
  }

  /// Limits what is in the buffer, and passes it on.
  private func process(_ count: Int) throws(AudioFileWriteError) {
    values.withUnsafeBufferPointer { values in
      guard let start = values.baseAddress else { return }
      limiter.process(
        left: buffer.mutableChannels[0], right: buffer.mutableChannels.count > 1 ? buffer.mutableChannels[1] : nil,
        keyLeft: nil, keyRight: nil, frameCount: count, place: frame & 15, start: start, end: nil)
    }
    frame += count
    let skipped = min(early, count)
    early -= skipped
    guard skipped < count else { return }
    let rest = buffer.mutableChannels.map { UnsafePointer($0 + skipped) }
    try rest.withUnsafeBufferPointer { (rest) throws(AudioFileWriteError) in
      try next.append(planar: rest, frameCount: count - skipped)
    }
  }
}
