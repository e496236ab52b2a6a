/// Cuts frames into slices of at most `SamplePacker.maximumCount` samples, interleaved, so that what is done to a slice
/// finds it in the processor's first cache. Used by one thread at a time.
final class SliceBuffer {
  private let channelCount: Int
  private let scratch: UnsafeMutablePointer<Float>

  /// - Parameter channelCount: 1 … `SamplePacker.maximumCount`.
  init(channelCount: Int) {
    self.channelCount = channelCount
    scratch = .allocate(capacity: SamplePacker.maximumCount)
  }

  deinit { scratch.deallocate() }

  /// - Parameter body: is given each slice, where it lies, and its number of frames.
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

  /// - Parameter body: is given each slice, which is good until it returns, and its number of frames.
  func slice(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int,
    _ body: (UnsafePointer<Float>, Int) throws(AudioFileWriteError) -> Void
  ) throws(AudioFileWriteError) {
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
