import DAWTime

/// The states of the transport's state machine.
public enum TransportState: BitwiseCopyable, Sendable, CaseIterable {
  /// The playhead does not move; silence.
  case stopped
  /// Waiting for streams before rolling; silence.
  case starting
  /// The playhead moves.
  case rolling
  /// Fading out before a stop.
  case stopping
  /// Fading out before a start at the locate's target.
  case locating

  private var number: UInt8 {
    @_noLocks get {
      switch self {
      case .stopped: 0
      case .starting: 1
      case .rolling: 2
      case .stopping: 3
      case .locating: 4
      }
    }
  }

  // Explicit, because the synthesised `==` is not `@_noLocks`.
  @_noLocks public static func == (a: Self, b: Self) -> Bool { a.number == b.number }
  @_noLocks public static func != (a: Self, b: Self) -> Bool { a.number != b.number }
}

/// A command to the transport. Frames are on the timeline; those before 0 are silent but for the metronome.
public enum TransportCommand: BitwiseCopyable, Sendable {
  case start
  case stop
  case locate(TimelineFrame)
  /// `first ..< end`, not empty. Wraps when the playhead reaches `end` from before it.
  case loop(first: TimelineFrame, end: TimelineFrame)
  case noLoop
  /// What is recorded from now on: `first ..< end`, empty for nothing. Decides when inputs are heard that are monitored
  /// by `InputMonitoring.auto`.
  case record(first: TimelineFrame, end: TimelineFrame)
}

/// The transport's state in one block. The audio thread publishes one at the end of each block; any thread may read it.
public struct TransportRecord: BitwiseCopyable, Sendable {
  /// The host's frame at the block's first frame.
  public var hostFrame: HostFrame = 0
  /// The playhead at the block's start.
  public var frame: TimelineFrame = 0
  /// Frames of the block.
  public var frameCount = 0
  /// The transport's state at the block's end.
  public var state = TransportState.stopped
  /// The playhead at the next block's start, unless something changes.
  public var nextFrame: TimelineFrame = 0
  /// Frames played since the last locate, at the next block's start, unless something changes.
  public var rolledFrame: RolledFrame = 0
  /// The loop's first frame; equal to `loopEnd` if there is no loop.
  public var loopFirst: TimelineFrame = 0
  /// The first frame after the loop.
  public var loopEnd: TimelineFrame = 0
  /// Loop wraps since the last locate.
  public var wrapCount: UInt64 = 0
  /// Raised by each new position of the playhead: by a locate, a stop, or a jump of the host that is followed. From 1.
  public var locateNumber: UInt64 = 1
  /// The plan that is heard, 0 before the first.
  public var planNumber: UInt64 = 0
  /// Commands performed, since the engine was made.
  var commandCount: UInt64 = 0
  /// Frames of regions and instruments that were not ready in time and were replaced by silence, since the engine was
  /// made.
  public var lateFrameCount = 0
  /// Samples of files, instruments and outputs that were NaN or infinite and were replaced by 0, since the engine was
  /// made.
  public var invalidSampleCount = 0
  /// Starts that rolled after `LiveOptions.startWaitSeconds` without all of their streams.
  public var startTimeoutCount = 0
  public var isFreewheeling = false

  public init() {}

  /// The timeline frame of a frame that is played, by what the record knows of the transport.
  func timelineFrame(of frame: RolledFrame) -> TimelineFrame { nextFrame.played(frame - rolledFrame, loop: loop) }

  public var loop: Range<TimelineFrame>? { loopFirst < loopEnd ? loopFirst..<loopEnd : nil }
}
