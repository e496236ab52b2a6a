/// A stretch of a recorded pass that lies on the timeline unbroken: timeline frame − pass frame is constant in it. A
/// locate begins another.
public struct RecordedPiece: Codable, Hashable, Sendable {
  /// The first frame, in frames of the pass.
  public var passFrame: Int64
  /// The timeline frame that it belongs to; negative where a latency reaches before the timeline's start.
  public var timelineFrame: Int64
  public var frames: Int64

  public init(passFrame: Int64, timelineFrame: Int64, frames: Int64) {
    self.passFrame = passFrame
    self.timelineFrame = timelineFrame
    self.frames = frames
  }
}
