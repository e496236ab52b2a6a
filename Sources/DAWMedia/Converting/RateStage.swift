import DAWTime

/// Resamples with soxr at very high quality: n frames become round(n × new rate / old rate), whatever the block sizes,
/// and frame m is the sound at time m / new rate.
public final class RateStage: AudioStage {
  public let next: any AudioFileSink
  public let format: AudioFileFormat
  private let resampler: Resampler
  private let channelCount: Int
  /// soxr always gets pieces of the same length, so that block sizes do not change a bit.
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private var filled = 0
  private var taken: Int64 = 0
  private var given: Int64 = 0

  private static let pieceFrames = 4_096

  /// - Parameters:
  ///   - rate: the input's.
  ///   - next: the next sink, at the new rate.
  /// - Throws: `.unsupported` if soxr refuses the rates.
  public init(from rate: SampleRate, next: any AudioFileSink) throws(AudioFileWriteError) {
    self.next = next
    var format = next.format
    format.sampleRate = rate
    self.format = format
    channelCount = format.channelCount
    do throws(ResamplerFailure) {
      resampler = try Resampler(from: rate, to: next.format.sampleRate, channelCount: format.channelCount)
    } catch {
      throw .resampling(reason: error.reason)
    }
    input = .allocate(capacity: Self.pieceFrames * channelCount)
    output = .allocate(capacity: Self.pieceFrames * channelCount)
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      let count = min(Self.pieceFrames - filled, frameCount - done)
      Samples.interleave(channels, from: done, frames: count, into: input + filled * channelCount)
      filled += count
      done += count
      if filled == Self.pieceFrames { try resampleInput() }
    }
    taken += Int64(frameCount)
  }

  public func finish() throws(AudioFileWriteError) {
    try resampleInput()
    let total = Self.frameCount(taken, from: format.sampleRate, to: next.format.sampleRate)
    while given < total {
      let room = Int(min(Int64(Self.pieceFrames), total - given))
      var (_, count) = try process(nil, 0, room)
      if count == 0 {
        // The rounded length may be a frame more than soxr returns; it is silent.
        output.update(repeating: 0, count: room * channelCount)
        count = room
      }
      try pass(count)
    }
    try next.finish()
  }

  private func resampleInput() throws(AudioFileWriteError) {
    var done = 0
    while done < filled {
      let (taken, count) = try process(input + done * channelCount, filled - done, Self.pieceFrames)
      done += taken
      try pass(count)
    }
    filled = 0
  }

  private func process(
    _ samples: UnsafePointer<Float>?, _ count: Int, _ room: Int
  ) throws(AudioFileWriteError) -> (taken: Int, given: Int) {
    do throws(ResamplerFailure) {
      return try resampler.process(samples, count: count, into: output, capacity: room)
    } catch {
      throw .resampling(reason: error.reason)
    }
  }

  private func pass(_ count: Int) throws(AudioFileWriteError) {
    guard count > 0 else { return }
    given += Int64(count)
    try next.append(interleaved: output, frameCount: count)
  }

  /// Frames at another rate: rounded to nearest, ties up; at least 1 unless there were none.
  public static func frameCount(_ frames: Int64, from old: SampleRate, to new: SampleRate) -> Int64 {
    guard frames > 0, old != new else { return frames }
    let rate = Int128(old.hertz)
    return Int64(clamping: max(1, (2 * Int128(frames) * Int128(new.hertz) + rate) / (2 * rate)))
  }
}
