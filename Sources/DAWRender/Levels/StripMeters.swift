import DAWMedia
import Foundation
import Synchronization

/// Measures pairs of channels, each as a bounce measures its file.
final class StripMeters: AudioFileSink {
  let format: AudioFileFormat
  private let meters: [MeasuredSink]
  private(set) var frameCount: Int64 = 0
  var clippedSampleCount: Int64 { 0 }
  var placer: FramePlacer? { nil }

  /// - Parameters:
  ///   - meters: of each pair; at least one.
  ///   - format: of each pair.
  init(_ meters: [MeasuredSink], format: AudioFileFormat) {
    var wide = format
    wide.channelCount = 2 * meters.count
    self.format = wide
    self.meters = meters
  }

  /// Measures on all processors: true peaks cost more than the mix.
  func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    let failure = Mutex<AudioFileWriteError?>(nil)
    // Unchecked: each iteration uses its own meter, and only reads samples.
    nonisolated(unsafe) let (meters, channels) = (meters, channels)
    DispatchQueue.concurrentPerform(iterations: meters.count) { pair in
      do throws(AudioFileWriteError) {
        let sides = UnsafeBufferPointer(rebasing: channels[2 * pair..<2 * pair + 2])
        try meters[pair].head.append(planar: sides, frameCount: frameCount)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    self.frameCount += Int64(frameCount)
  }

  func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    let buffer = PlanarBuffer(channelCount: format.channelCount, capacity: frameCount)
    buffer.fill(interleaved: samples, frameCount: frameCount)
    try append(planar: buffer.channels, frameCount: frameCount)
  }

  func finish() {}
  func cancel() {}
}
