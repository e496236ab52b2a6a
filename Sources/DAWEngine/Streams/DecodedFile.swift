import DAWRealtime
import DAWTime
import Synchronization

/// A file decoded by a library, piece by piece, with a cache of the most recently used pieces, since adjacent blocks
/// and regions read the same ones. Any thread but the audio thread.
///
/// A piece begins at the frame requested and is not much longer than the request, so regions that jump around in a file
/// do not decode frames that are not played.
final class DecodedFile: @unchecked Sendable {
  private let source: AudioSource
  private let reader: any SampleReader
  /// Guards the reader and the pieces. In order of use, the most recent last.
  private let pieces = Mutex<[Piece]>([])

  private struct Piece {
    var frames: Range<FileFrame> = 0..<0
    var samples: [Float] = []
  }

  /// Frames in a piece; the last one of a file may be shorter.
  private static let pieceFrames: ClosedRange<Int> = 2_048...16_384
  private let keptPieces: Int

  /// - Parameter keptPieces: at least 1.
  init(_ source: AudioSource, reader: any SampleReader, keptPieces: Int = 4) {
    self.source = source
    self.keptPieces = keptPieces
    self.reader = reader
  }

  /// - Parameters:
  ///   - frame: within the file.
  ///   - frameCount: at least 1.
  ///   - samples: room for `frameCount` frames.
  /// - Returns: frames read, at least 1.
  func read(
    from frame: FileFrame, frameCount: Int, into samples: UnsafeMutableRawPointer
  ) throws(StreamError) -> Int {
    guard frame < source.end else { throw .cutShort(path: source.path, frame: frame) }
    let result = pieces.withLock { pieces -> Result<Int, StreamError> in
      var piece: Piece
      if let known = pieces.lastIndex(where: { $0.frames.contains(frame) }) {
        piece = pieces.remove(at: known)
      } else {
        piece = pieces.count < keptPieces ? Piece() : pieces.removeFirst()
        let length = min(max(frameCount, Self.pieceFrames.lowerBound), Self.pieceFrames.upperBound)
        piece.frames = frame..<min(frame + length, source.end)
        do throws(StreamError) {
          try decode(&piece.samples, from: frame, frameCount: piece.frames.count)
        } catch {
          return .failure(error)
        }
      }
      let count = min(frameCount, piece.frames.upperBound - frame)
      piece.samples.withUnsafeBytes { bytes in
        let range = bytes[((frame - piece.frames.lowerBound) * source.bytesPerFrame)...]
          .prefix(count * source.bytesPerFrame)
        UnsafeMutableRawBufferPointer(start: samples, count: range.count).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: range))
      }
      pieces.append(piece)
      return .success(count)
    }
    return try result.get()
  }

  private func decode(_ samples: inout [Float], from frame: FileFrame, frameCount: Int) throws(StreamError) {
    let count = frameCount * source.channelCount
    if samples.count < count { samples = [Float](repeating: 0, count: count) }
    // Libraries decode with denormals, whatever the calling thread's flags are.
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
