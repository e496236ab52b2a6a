/// A linear gain over time. Its value depends on the frame's number alone, never on earlier values, so neither block
/// size nor the start of playback changes it.
public enum Control: Hashable, Sendable {
  case constant(Float)
  /// In order of frame, without overlap, at least one. Before the first segment the value is its `start`; after a
  /// segment it is that one's `end`, until the next begins.
  case segments([Segment])

  /// A straight line: at frame n, `Float(start + (end − start) × (n − frames.lowerBound) / frames.count)`, in `Double`.
  public struct Segment: Hashable, Sendable {
    /// Timeline frames, at least one.
    public var frames: Range<Int64>
    /// Linear gain ≥ 0.
    public var start: Double
    /// Linear gain ≥ 0, reached at `frames.upperBound`.
    public var end: Double

    public init(frames: Range<Int64>, start: Double, end: Double) {
      self.frames = frames
      self.start = start
      self.end = end
    }
  }

  public static let unity = Control.constant(1)
}

extension Control: CustomStringConvertible {
  public var description: String {
    switch self {
    case .constant(let gain): "\(gain)"
    case .segments(let segments):
      segments.map { "\($0.start)…\($0.end) in \($0.frames.lowerBound)..<\($0.frames.upperBound)" }
        .joined(separator: ", ")
    }
  }
}
