import DAWTime

/// The transport during one block of frames, for MIDI ports.
public struct PortBlock: Sendable {
  /// Whether the playhead moves; false while the transport waits for its streams.
  public var isRolling: Bool
  /// Timeline frame of the block's first frame.
  public var frame: TimelineFrame
  /// At least 1.
  public var frameCount: Int
  /// The loop: a playhead that reaches its end from before goes back to its start.
  public var loop: Range<TimelineFrame>?
  /// Changes with each locate.
  public var locateNumber: UInt64
  /// Changes with each plan.
  public var planNumber: UInt64

  @_noLocks public init(
    isRolling: Bool, frame: TimelineFrame, frameCount: Int, loop: Range<TimelineFrame>? = nil, locateNumber: UInt64 = 0,
    planNumber: UInt64 = 0
  ) {
    self.isRolling = isRolling
    self.frame = frame
    self.frameCount = frameCount
    self.loop = loop
    self.locateNumber = locateNumber
    self.planNumber = planNumber
  }
}

/// A message for a port to send.
public struct PortEvent: Sendable {
  /// Frames from the block's start, below its `frameCount`.
  public var offset: Int
  /// `frame` is on the timeline; for messages that are not events of the plan, such as pending note-offs, the
  /// playhead's.
  public var message: MIDIEvent

  @_noLocks init(offset: Int, message: MIDIEvent) {
    self.offset = offset
    self.message = message
  }
}
