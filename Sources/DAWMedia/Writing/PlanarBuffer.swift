/// A buffer of planar frames. Used by one thread at a time.
public final class PlanarBuffer {
  public let capacity: Int
  /// One for each channel.
  public let mutableChannels: [UnsafeMutablePointer<Float>]
  /// The same, in the form that sinks take.
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

  /// Deinterleaves frames into the buffer.
  /// - Parameter frameCount: at most `capacity`.
  public func fill(interleaved source: UnsafePointer<Float>, frameCount: Int) {
    let count = mutableChannels.count
    for (channel, target) in mutableChannels.enumerated() {
      for frame in 0..<frameCount { target[frame] = source[frame * count + channel] }
    }
  }
}

/// Cuts frames into interleaved slices of at most `SamplePacker.maximumCount` samples, which fit the L1 cache. Used by
/// one thread at a time.
final class SliceBuffer {
  private let channelCount: Int
  private let scratch: UnsafeMutablePointer<Float>

  /// - Parameter channelCount: 1 … `SamplePacker.maximumCount`.
  init(channelCount: Int) {
    self.channelCount = channelCount
    scratch = .allocate(capacity: SamplePacker.maximumCount)
  }

  deinit { scratch.deallocate() }

  /// - Parameter body: called with each slice, in place, and its number of frames.
  func slice(
    interleaved samples: UnsafePointer<Float>, frameCount: Int,
    _ body: (UnsafePointer<Float>, Int) throws(AudioFileWriteError) -> Void
  ) throws(AudioFileWriteError) {
    var done = 0
    while done < frameCount {
      let count = min(framesPerSlice, frameCount - done)
      try body(samples + done * channelCount, count)
      done += count
    }
  }

  /// - Parameter body: called with each slice, valid during the call, and its number of frames.
  func slice(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int,
    _ body: (UnsafePointer<Float>, Int) throws(AudioFileWriteError) -> Void
  ) throws(AudioFileWriteError) {
    // One channel is interleaved as it is.
    if channelCount == 1 { return try slice(interleaved: channels[0], frameCount: frameCount, body) }
    var done = 0
    while done < frameCount {
      let count = min(framesPerSlice, frameCount - done)
      Samples.interleave(channels, from: done, frames: count, into: scratch)
      try body(scratch, count)
      done += count
    }
  }

  private var framesPerSlice: Int { SamplePacker.maximumCount / channelCount }
}
