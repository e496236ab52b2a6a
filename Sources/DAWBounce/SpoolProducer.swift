import DAWEngine
import DAWMedia
import DAWTime

/// Reads a buffer that a pass has left, in order. Silent behind its frames, which is further than they are heard.
final class SpoolProducer: StageProducer {
  private let spool: BufferSpool
  private let buffer: Int
  /// The next frame.
  private var next: TimelineFrame

  /// - Parameter buffer: of the spool.
  init(_ spool: BufferSpool, buffer: Int) {
    self.spool = spool
    self.buffer = buffer
    next = TimelineFrame(FramePosition(frames: spool.frames.lowerBound))
  }

  func produce(
    frameCount: Int, inputs: StageInputs, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) throws {
    let count = min(frameCount, max(0, Int(spool.frames.upperBound) - next.number))
    for (side, samples) in [left, right].enumerated() {
      do throws(AudioFileWriteError) {
        if count > 0 { try spool.read(into: samples, count, buffer: buffer, side: side, at: next.position.frames) }
      } catch {
        throw StreamError.spool(error)
      }
      (samples + count).update(repeating: 0, count: frameCount - count)
    }
    next += frameCount
  }
}
