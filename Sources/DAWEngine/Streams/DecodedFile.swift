import DAWRealtime
import Synchronization

/// A file that a library decodes, piece by piece; the newest pieces are kept, since neighbouring blocks and regions
/// want the same ones. Any number of threads, none of them the audio thread.
final class DecodedFile: @unchecked Sendable {
  private let source: AudioSource
  private let reader: any SampleReader
  /// Guards the reader and the pieces.
  private let pieces = Mutex<[Piece]>([])

  private struct Piece {
    var number: Int64
    var samples: [Float]
  }

  /// Frames in a piece; the last one is shorter.
  private static let pieceFrames: Int64 = 16_384
  private static let keptPieces = 4

  init(_ source: AudioSource, reader: any SampleReader) {
    self.source = source
    self.reader = reader
  }

  /// - Parameters:
  ///   - frame: within the file.
  ///   - frameCount: at least 1.
  ///   - samples: room for `frameCount` frames.
  /// - Returns: frames read, at least 1.
  func read(
    from frame: Int64, frameCount: Int, into samples: UnsafeMutableRawPointer
  ) throws(StreamError) -> Int {
    let number = frame / Self.pieceFrames
    let start = number * Self.pieceFrames
    let length = Int(min(Self.pieceFrames, source.frameCount - start))
    let count = min(frameCount, Int(start) + length - Int(frame))
    guard count > 0 else { throw .cutShort(path: source.path, frame: frame) }
    let result = pieces.withLock { pieces -> Result<Void, StreamError> in
      if !pieces.contains(where: { $0.number == number }) {
        var piece = pieces.count < Self.keptPieces ? Piece(number: number, samples: []) : pieces.removeFirst()
        piece.number = number
        do throws(StreamError) { try decode(&piece.samples, from: start, frameCount: length) } catch {
          return .failure(error)
        }
        pieces.append(piece)
      }
      guard let piece = pieces.last(where: { $0.number == number }) else { return .success(()) }
      piece.samples.withUnsafeBytes { bytes in
        let range = bytes[(Int(frame - start) * source.bytesPerFrame)...].prefix(count * source.bytesPerFrame)
        UnsafeMutableRawBufferPointer(start: samples, count: range.count).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: range))
      }
      return .success(())
    }
    try result.get()
    return count
  }

  private func decode(_ samples: inout [Float], from frame: Int64, frameCount: Int) throws(StreamError) {
    let count = frameCount * source.channelCount
    if samples.count < count { samples = [Float](repeating: 0, count: count) }
    // A library computes with denormals as everybody does, on every thread.
    let flags = DenormalFlags.keep()
    defer { flags.restore() }
    var failure: StreamError?
    samples.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      do throws(StreamError) { try reader.read(from: frame, frameCount: frameCount, into: base) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
