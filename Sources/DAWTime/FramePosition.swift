/// A position on the timeline, in frames from its start, at a sample rate given by the context. A frame is one sample
/// of every channel.
public struct FramePosition: Hashable, Comparable, Sendable {
  public var frames: Int64

  public init(frames: Int64) { self.frames = frames }

  public static func < (a: Self, b: Self) -> Bool { a.frames < b.frames }
  public static func - (later: Self, earlier: Self) -> FrameCount {
    FrameCount(frames: later.frames.clampedDifference(earlier.frames))
  }
  public static func + (position: Self, distance: FrameCount) -> Self {
    Self(frames: position.frames.clampedSum(distance.frames))
  }
  public static func - (position: Self, distance: FrameCount) -> Self {
    Self(frames: position.frames.clampedDifference(distance.frames))
  }
}

/// A number of frames.
public struct FrameCount: Hashable, Comparable, Sendable {
  public var frames: Int64

  public init(frames: Int64) { self.frames = frames }

  public static let zero = FrameCount(frames: 0)

  public static func < (a: Self, b: Self) -> Bool { a.frames < b.frames }
  public static func + (a: Self, b: Self) -> Self { Self(frames: a.frames.clampedSum(b.frames)) }
  public static func - (a: Self, b: Self) -> Self { Self(frames: a.frames.clampedDifference(b.frames)) }
}
