import DAWTime

/// What the transport does from a host frame on, until the next change. Says which timeline frame was played at each
/// host frame.
public struct TimelineChange: BitwiseCopyable, Sendable {
  /// How the transport moves.
  public enum Motion: BitwiseCopyable, Sendable {
    case stopped
    /// About to roll, or moving to another place, or in frames for which the host did not call.
    case between
    case rolling

    private var number: UInt8 {
      @_noLocks get {
        switch self {
        case .stopped: 0
        case .between: 1
        case .rolling: 2
        }
      }
    }

    // Explicit, because the synthesised `==` is not `@_noLocks`.
    @_noLocks public static func == (a: Self, b: Self) -> Bool { a.number == b.number }
    @_noLocks public static func != (a: Self, b: Self) -> Bool { a.number != b.number }
  }

  public var hostFrame: HostFrame
  /// Played at `hostFrame`.
  public var frame: TimelineFrame
  public var motion: Motion
  /// As in `TransportRecord`.
  public var wrapCount: UInt64
  /// Of the plan that is heard.
  public var planNumber: UInt64
  /// If not 0, this is no change but a correction: what was noted from `hostFrame` on was noted for frames that lie
  /// this many earlier.
  public var misreadFrames = 0

  @_noLocks public init(
    hostFrame: HostFrame, frame: TimelineFrame, motion: Motion, wrapCount: UInt64, planNumber: UInt64 = 0
  ) {
    self.hostFrame = hostFrame
    self.frame = frame
    self.motion = motion
    self.wrapCount = wrapCount
    self.planNumber = planNumber
  }

  /// Whether `next`, which is later, says only what follows from this one.
  @_noLocks func predicts(_ next: TimelineChange) -> Bool { planNumber == next.planNumber && leads(to: next) }

  /// Whether the transport goes on to `next`, which is later, by itself.
  @_noLocks func leads(to next: TimelineChange) -> Bool {
    guard motion == next.motion, wrapCount == next.wrapCount else { return false }
    if motion == .stopped { return next.frame == frame }
    return motion != .rolling || next.frame - frame == next.hostFrame - hostFrame
  }
}

extension TimelineChange.Motion {
  @_noLocks init(_ state: TransportState) {
    switch state {
    case .stopped, .stopping: self = .stopped
    case .starting, .locating: self = .between
    case .rolling: self = .rolling
    }
  }
}
