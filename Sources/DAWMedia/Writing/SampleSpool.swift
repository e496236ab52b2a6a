import Glibc

/// Keeps samples on the disk as they are, to be read again as often as is needed. The file has no name: it is gone with
/// the object, or with the process, however that ends. Used by one thread at a time.
public final class SampleSpool: AudioFileSink {
  public let format: AudioFileFormat
  public private(set) var frameCount: Int64 = 0
  public var clippedSampleCount: Int64 { 0 }

  private let folder: String
  private let file: FileDescriptor
  private let buffer: UnsafeMutablePointer<Float>
  private var filled = 0

  private static let capacity = 1 << 17

  /// - Parameters:
  ///   - folder: on the disk that has room for it.
  ///   - format: rate and number of channels; samples are kept as 32-bit float.
  public init(folder: String, format: AudioFileFormat) throws(AudioFileWriteError) {
    var format = format
    format.encoding = .float32
    self.format = format
    self.folder = folder
    do throws(SystemCallFailure) {
      try Path.makeFolder(folder)
      file = FileDescriptor(owning: try Self.openNameless(in: folder))
    } catch {
      throw AudioFileWriteError(path: folder, error)
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

  /// After this, frames can be read.
  public func finish() throws(AudioFileWriteError) { try flush() }
  public func cancel() {}

  /// - Parameters:
  ///   - frame: 0 … `frameCount`.
  ///   - samples: room for as many frames, which come interleaved.
  /// - Returns: frames read; fewer than asked for only at the end.
  public func read(
    from frame: Int64, frameCount count: Int, into samples: UnsafeMutablePointer<Float>
  ) throws(AudioFileWriteError) -> Int {
    let bytesPerFrame = 4 * format.channelCount
    let count = Int(min(Int64(count), max(0, frameCount - frame)))
    do throws(SystemCallFailure) {
      let bytes = UnsafeMutableRawBufferPointer(start: samples, count: count * bytesPerFrame)
      return try file.read(into: bytes, at: frame * Int64(bytesPerFrame)) / bytesPerFrame
    } catch {
      throw AudioFileWriteError(path: folder, error)
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
      throw AudioFileWriteError(path: folder, error)
    }
  }

  private static func openNameless(in folder: String) throws(SystemCallFailure) -> Int32 {
    do throws(SystemCallFailure) {
      return try FileDescriptor.openingNumber(folder, O_RDWR | Self.nameless)
    } catch {
      guard error.code == EOPNOTSUPP || error.code == EISDIR || error.code == ENOENT else { throw error }
    }
    // A file system without nameless files, such as a memory card's.
    let path = Path.joining(folder, CacheFolder.scratchPrefix + String(UInt64.random(in: .min ... .max), radix: 16))
    let number = try FileDescriptor.openingNumber(path, O_RDWR | O_CREAT | O_EXCL)
    unlink(path)
    return number
  }

  /// O_TMPFILE, whose macro is too much for the importer.
  private static let nameless: Int32 = 0o20_000_000 | O_DIRECTORY
}
