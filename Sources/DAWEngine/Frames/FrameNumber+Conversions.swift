import DAWTime

// Where positions of one kind become positions of another.

extension FrameNumber where Kind == FrameKind.Timeline {
  /// - Parameter position: at the project's rate.
  @inlinable public init(_ position: FramePosition) { self.init(Int(position.frames)) }

  /// For `DAWTime`, at the project's rate.
  @inlinable public var position: FramePosition { FramePosition(frames: Int64(number)) }

  /// The timeline frame at which a region plays a frame of its file.
  /// - Parameter anchor: the timeline frame at which the file's frame 0 would play.
  @_noLocks public init(of frame: FileFrame, anchor: TimelineFrame) { self.init(anchor.number + frame.number) }

  /// The timeline frame that is played `count` frames after this one, in a loop that wraps if its end is reached from
  /// before it. Without a loop, both ends are equal.
  @_noLocks func played(_ count: Int, loopFirst: TimelineFrame, loopEnd: TimelineFrame) -> TimelineFrame {
    let frame = self + count
    guard loopFirst < loopEnd, self < loopEnd, frame >= loopEnd else { return frame }
    return loopFirst + (frame - loopEnd) % (loopEnd - loopFirst)
  }

  /// The timeline frame that is played `count` frames after this one, as above.
  /// - Parameter loop: `nil` without a loop.
  public func played(_ count: Int, loop: Range<TimelineFrame>?) -> TimelineFrame {
    played(count, loopFirst: loop?.lowerBound ?? 0, loopEnd: loop?.upperBound ?? 0)
  }

  /// The greatest multiple of `count` up to this frame, which is ≥ 0.
  @inlinable public func roundedDown(to count: Int) -> TimelineFrame { Self(number / count * count) }

  /// The least multiple of `count` from this frame on, which is ≥ 0.
  @inlinable public func roundedUp(to count: Int) -> TimelineFrame { Self((number + count - 1) / count * count) }
}

extension FrameNumber where Kind == FrameKind.File {
  /// The frame of its file that a region plays at a timeline frame.
  /// - Parameter anchor: the timeline frame at which the file's frame 0 would play.
  @_noLocks public init(at frame: TimelineFrame, anchor: TimelineFrame) { self.init(frame - anchor) }

  /// The file's frame in a window of a file stream.
  init(_ frame: StreamFrame) { self.init(frame.number) }
}

extension FrameNumber where Kind == FrameKind.Stream {
  /// In a window of a file stream.
  @_noLocks init(_ frame: FileFrame) { self.init(frame.number) }

  /// In a window of an instrument.
  @_noLocks init(_ frame: RolledFrame) { self.init(frame.number) }
}

extension FrameNumber where Kind == FrameKind.Rolled {
  /// The frame played at a timeline frame by playback that begins at `origin`, without a loop.
  @_noLocks init(at frame: TimelineFrame, from origin: TimelineFrame) { self.init(frame - origin) }

  /// In a window of an instrument.
  init(_ frame: StreamFrame) { self.init(frame.number) }
}
