import DAWMedia

/// Decides where a bounce ends: passes the range and its tail on, and measures the peak after the end.
///
/// The tail ends after its last frame above −90 dBFS that is followed by a second without one, and by as much time as
/// an echo may take; or at its limit.
public final class TailGate: AudioStage {
  /// The length of the tail.
  public enum Length: Equatable, Sendable {
    /// A fixed number of frames.
    case fixed(Int64)
    /// Until it is quiet, at most so many frames.
    case untilQuiet(atMost: Int64)

    public var maximumFrames: Int64 {
      switch self {
      case .fixed(let count), .untilQuiet(let count): count
      }
    }
  }

  public let next: any AudioFileSink
  /// Frames passed on so far.
  public private(set) var passedFrames: Int64 = 0
  /// The peak within 50 ms after the end, linear.
  public private(set) var peakAfterEnd: Float = 0
  /// Whether further frames are of no use.
  public private(set) var isEnough = false

  private let range: Int64
  private let length: Length
  private let quietFrames: Int64
  private let listeningFrames: Int64
  /// Quiet frames, passed on only if a louder one follows.
  private var withheld: [[Float]] = [[], []]
  private var taken: Int64 = 0

  /// - Parameters:
  ///   - range: frames that are always passed on.
  ///   - longestEcho: frames for which it may be silent before an echo.
  ///   - next: the next sink; two channels.
  public init(range: Int64, length: Length, longestEcho: Int64 = 0, next: any AudioFileSink) {
    self.next = next
    self.range = range
    self.length = length
    let rate = Int64(next.format.sampleRate.hertz)
    quietFrames = rate + longestEcho
    listeningFrames = Self.listeningFrames(at: rate)
    isEnough = length == .fixed(0) && range == 0
  }

  /// Frames after the longest possible tail that the gate measures.
  /// - Parameter rate: frames per second.
  public static func listeningFrames(at rate: Int64) -> Int64 { rate / 20 }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    var done = 0
    let certain: Int64
    let limit: Int64
    switch length {
    case .fixed(let count): (certain, limit) = (range + count, range + count)
    case .untilQuiet(let most): (certain, limit) = (range, range + most)
    }
    if taken < certain {
      done = Int(min(Int64(frameCount), certain - taken))
      try pass(channels, done)
    }
    while done < frameCount, !isEnough {
      let place = taken + Int64(done)
      let samples = (channels[0][done], channels[1][done])
      let magnitude = max(abs(samples.0), abs(samples.1))
      if place < limit {
        try weigh(samples, magnitude)
      } else {
        peakAfterEnd = max(peakAfterEnd, magnitude)
        isEnough = place + 1 >= limit + listeningFrames
      }
      done += 1
    }
    taken += Int64(frameCount)
  }

  /// Handles a frame after the range.
  private func weigh(_ samples: (Float, Float), _ magnitude: Float) throws(AudioFileWriteError) {
    withheld[0].append(samples.0)
    withheld[1].append(samples.1)
    if magnitude > SignalStatistics.audibleMagnitude {
      try release()
    } else {
      isEnough = Int64(withheld[0].count) >= quietFrames
    }
  }

  private func release() throws(AudioFileWriteError) {
    let buffer = PlanarBuffer(channelCount: 2, capacity: withheld[0].count)
    for (side, samples) in withheld.enumerated() {
      samples.withUnsafeBufferPointer { samples in
        guard let base = samples.baseAddress else { return }
        buffer.mutableChannels[side].update(from: base, count: samples.count)
      }
      withheld[side].removeAll(keepingCapacity: true)
    }
    try pass(buffer.channels, buffer.capacity)
  }

  private func pass(
    _ channels: UnsafeBufferPointer<UnsafePointer<Float>>, _ count: Int
  ) throws(AudioFileWriteError) {
    try next.append(planar: channels, frameCount: count)
    passedFrames += Int64(count)
  }
}
