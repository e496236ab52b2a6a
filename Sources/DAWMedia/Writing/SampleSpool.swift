import Glibc

/// Spools samples to disk, to be read again any number of times. The file is nameless, and gone with the object or the
/// process. Used by one thread at a time.
public final class SampleSpool: AudioFileSink {
  public let format: AudioFileFormat
  public private(set) var frameCount: Int64 = 0
  public var clippedSampleCount: Int64 { 0 }

  private let path: String
  private let file: FileDescriptor
  private let buffer: UnsafeMutablePointer<Float>
  private var filled = 0

  private static let capacity = 1 << 17

  /// - Parameters:
  ///   - folder: on the disk to use.
  ///   - format: rate and number of channels; samples are stored as 32-bit float.
  public init(folder place: Place, format: AudioFileFormat) throws(AudioFileWriteError) {
    var format = format
    format.encoding = .float32
    self.format = format
    path = place.path
    do throws(SystemCallFailure) {
      file = FileDescriptor(owning: try place.make().openNameless(spare: Self.spareName()))
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
    buffer = .allocate(capacity: Self.capacity)
  }

  deinit { buffer.deallocate() }

  public func append(interleaved samples: UnsafePointer<Float>, frameCount: Int) throws(AudioFileWriteError) {
    let framesPerBuffer = Self.capacity / format.channelCount
    var done = 0
    while done < frameCount {
      if filled == framesPerBuffer { try flush() }
      let count = min(framesPerBuffer - filled, frameCount - done)
      (buffer + filled * format.channelCount)
        .update(from: samples + done * format.channelCount, count: count * format.channelCount)
      advance(by: count, &done)
    }
  }

  public func append(
    planar channels: UnsafeBufferPointer<UnsafePointer<Float>>, frameCount: Int
  ) throws(AudioFileWriteError) {
    let framesPerBuffer = Self.capacity / format.channelCount
    var done = 0
    while done < frameCount {
      if filled == framesPerBuffer { try flush() }
      let count = min(framesPerBuffer - filled, frameCount - done)
      Samples.interleave(channels, from: done, frames: count, into: buffer + filled * format.channelCount)
      advance(by: count, &done)
    }
  }

  /// Ends writing; frames can be read after it.
  public func finish() throws(AudioFileWriteError) { try flush() }
  public func cancel() {}

  /// Reads frames.
  /// - Parameters:
  ///   - frame: 0 … `frameCount`.
  ///   - samples: room for the frames, interleaved.
  /// - Returns: frames read; fewer than requested only at the end.
  public func read(
    from frame: Int64, frameCount count: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(AudioFileWriteError) -> Int {
    let bytesPerFrame = 4 * format.channelCount
    let count = Int(min(Int64(count), max(0, frameCount - frame)))
    do throws(SystemCallFailure) {
      let bytes = UnsafeMutableRawBufferPointer(start: samples, count: count * bytesPerFrame)
      return try file.read(into: bytes, at: frame * Int64(bytesPerFrame)) / bytesPerFrame
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  private func advance(by count: Int, _ done: inout Int) {
    filled += count
    frameCount += Int64(count)
    done += count
  }

  private func flush() throws(AudioFileWriteError) {
    let bytes = UnsafeRawBufferPointer(start: buffer, count: filled * format.channelCount * 4)
    filled = 0
    do throws(SystemCallFailure) {
      try FileDescriptor.write(bytes, to: file.number)
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  private static func spareName() -> String {
    CacheFolder.scratchPrefix + String(UInt64.random(in: .min ... .max), radix: 16)
  }
}
