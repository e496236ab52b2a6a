/// Room for a number of frames, one buffer for each channel. Used by one thread at a time.
public final class PlanarBuffer {
  public let capacity: Int
  /// One for each channel.
  public let mutableChannels: [UnsafeMutablePointer<Float>]
  /// The same, as sinks take them.
  public let channels: UnsafeBufferPointer<UnsafePointer<Float>>

  private let samples: UnsafeMutablePointer<Float>
  private let pointers: UnsafeMutablePointer<UnsafePointer<Float>>

  /// - Parameters:
  ///   - channelCount: at least 1.
  ///   - capacity: frames, ≥ 0.
  public init(channelCount: Int, capacity: Int) {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: channelCount * capacity)
    samples.initialize(repeating: 0, count: channelCount * capacity)
    let pointers = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (pointers + channel).initialize(to: UnsafePointer(samples + channel * capacity))
    }
    self.capacity = capacity
    self.samples = samples
    self.pointers = pointers
    mutableChannels = (0..<channelCount).map { samples + $0 * capacity }
    channels = UnsafeBufferPointer(start: pointers, count: channelCount)
  }

  deinit {
    samples.deallocate()
    pointers.deallocate()
  }

  /// Takes frames whose channels lie one after the other within each.
  /// - Parameter frameCount: at most `capacity`.
  public func fill(interleaved source: UnsafePointer<Float>, frameCount: Int) {
    let count = mutableChannels.count
    for (channel, target) in mutableChannels.enumerated() {
      for frame in 0..<frameCount { target[frame] = source[frame * count + channel] }
    }
  }
}
