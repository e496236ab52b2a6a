import Glibc

/// Keeps stereo buffers of a range of frames on disk, to be written and read in any order and by any thread. The file
/// is nameless, and gone with the object or the process. What was not written is silent.
public final class BufferSpool: Sendable {
  /// The timeline's frames.
  public let frames: Range<Int64>
  private let path: String
  private let file: FileDescriptor

  /// - Parameters:
  ///   - folder: on the disk to use.
  ///   - bufferCount: at least 0.
  public init(folder place: Place, bufferCount: Int, frames: Range<Int64>) throws(AudioFileWriteError) {
    self.frames = frames
    path = place.path
    do throws(SystemCallFailure) {
      let name = CacheFolder.scratchPrefix + String(UInt64.random(in: .min ... .max), radix: 16)
      file = FileDescriptor(owning: try place.make().openNameless(spare: name))
      guard ftruncate(file.number, off_t(2 * bufferCount * frames.count * Self.sampleBytes)) == 0 else {
        throw SystemCallFailure(call: "truncate", code: errno)
      }
    } catch {
      throw AudioFileWriteError(path: place.path, error)
    }
  }

  /// - Parameters:
  ///   - buffer: counted from 0.
  ///   - frame: the first of the samples, within `frames`.
  public func write(
    _ samples: UnsafePointer<Float>, _ count: Int, buffer: Int, side: Int, at frame: Int64
  ) throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      let bytes = UnsafeRawBufferPointer(start: samples, count: count * Self.sampleBytes)
      try FileDescriptor.write(bytes, to: file.number, at: offset(buffer, side, frame))
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  /// - Parameter samples: room for `count` samples.
  public func read(
    into samples: UnsafeMutablePointer<Float>, _ count: Int, buffer: Int, side: Int, at frame: Int64
  ) throws(AudioFileWriteError) {
    do throws(SystemCallFailure) {
      let bytes = UnsafeMutableRawBufferPointer(start: samples, count: count * Self.sampleBytes)
      guard try file.read(into: bytes, at: offset(buffer, side, frame)) == bytes.count else {
        throw SystemCallFailure(call: "read", code: EIO)
      }
    } catch {
      throw AudioFileWriteError(path: path, error)
    }
  }

  private static let sampleBytes = 4

  private func offset(_ buffer: Int, _ side: Int, _ frame: Int64) -> Int64 {
    (Int64(2 * buffer + side) * Int64(frames.count) + frame - frames.lowerBound) * Int64(Self.sampleBytes)
  }
}
