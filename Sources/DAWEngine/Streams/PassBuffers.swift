import DAWMedia
import DAWTime

/// The buffers that a pass finds and leaves, and where they are kept. Empty for a plan that is not divided.
public struct PassBuffers: Sendable {
  public var restored: [Int] = []
  public var kept: [Int] = []
  /// A spool with a buffer for each of `restored`, in that order.
  public var source: BufferSpool?
  /// A spool with a buffer for each of `kept`, in that order.
  public var target: BufferSpool?

  public init() {}

  public init(_ pass: PlanPass, from source: BufferSpool?, to target: BufferSpool?) {
    (restored, kept) = (pass.restored, pass.kept)
    (self.source, self.target) = (source, target)
  }

  /// Before a slice's first step.
  func restore(_ runner: PlanRunner, frame: TimelineFrame, _ frameCount: Int) throws(StreamError) {
    guard let source else { return }
    for (place, buffer) in restored.enumerated() {
      runner.open(buffer)
      for side in 0..<2 {
        do throws(AudioFileWriteError) {
          try source.read(
            into: runner.side(buffer, side), frameCount, buffer: place, side: side, at: frame.position.frames)
        } catch {
          throw .spool(error)
        }
      }
    }
  }

  /// After a slice's last step.
  func keep(_ runner: PlanRunner, frame: TimelineFrame, _ frameCount: Int) throws(StreamError) {
    guard let target else { return }
    for (place, buffer) in kept.enumerated() where !runner.plan.isSilent[buffer] {
      for side in 0..<2 {
        do throws(AudioFileWriteError) {
          try target.write(runner.side(buffer, side), frameCount, buffer: place, side: side, at: frame.position.frames)
        } catch {
          throw .spool(error)
        }
      }
    }
  }
}
