/// What the transport is doing.
public enum TransportState: BitwiseCopyable, Sendable, CaseIterable {
  /// The playhead stands; silence.
  case stopped
  /// It is to roll, and waits for its streams; silence.
  case starting
  /// The playhead moves.
  case rolling
  /// What sounded fades out; then it stands.
  case stopping
  /// What sounded fades out; then it starts, at the place it was sent to.
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

  // Spelled out, because the audio thread cannot use what the compiler makes.
  @_noLocks public static func == (a: Self, b: Self) -> Bool { a.number == b.number }
  @_noLocks public static func != (a: Self, b: Self) -> Bool { a.number != b.number }
}

/// What somebody asks of the transport. Frames are the timeline's; those before 0 are silent but for the metronome.
public enum TransportCommand: BitwiseCopyable, Sendable {
  case start
  case stop
  case locate(Int64)
  /// From `first` up to, not including, `end`; `first < end`. It takes hold while the playhead is before `end`.
  case loop(first: Int64, end: Int64)
  case noLoop
}

/// What the transport was doing in one block. The audio thread publishes one at each block's end; anybody reads it.
public struct TransportRecord: BitwiseCopyable, Sendable {
  /// The host's clock at the block's first frame; it never wraps.
  public var hostFrame: UInt64 = 0
  /// Timeline frame of the block's first frame, while it rolls; else where the playhead stands.
  public var frame: Int64 = 0
  /// Frames of the block.
  public var frameCount = 0
  /// At the block's end.
  public var state = TransportState.stopped
  /// Timeline frame of the next block's first frame, if nothing happens.
  public var nextFrame: Int64 = 0
  /// Frames played since the last locate, up to the block's end; loops run on.
  public var rolledFrameCount: Int64 = 0
  /// The loop's first frame; equal to `loopEnd` where there is none.
  public var loopFirst: Int64 = 0
  /// The first frame behind the loop.
  public var loopEnd: Int64 = 0
  /// How often the playhead went back to the loop's start since the last locate.
  public var wrapCount: UInt64 = 0
  /// Raised whenever the playhead is put somewhere, a stop included. From 1.
  public var locateNumber: UInt64 = 1
  /// Of the plan that is heard, 0 before the first.
  public var planNumber: UInt64 = 0
  /// Frames of regions and instruments that were not there in time, and were silent, since the engine began.
  public var lateFrameCount = 0
  /// Samples of files, of instruments and of what leaves that were no finite numbers, and were silent, since the engine
  /// began.
  public var invalidSampleCount = 0
  /// Starts that waited as long as they may and then rolled without all of their streams.
  public var hastyStartCount = 0
  public var isFreewheeling = false

  public init() {}

  public var loop: Range<Int64>? { loopFirst < loopEnd ? loopFirst..<loopEnd : nil }
}
