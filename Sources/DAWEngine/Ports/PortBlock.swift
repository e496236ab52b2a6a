/// What the transport does in one stretch of time, as far as a port has to know.
public struct PortBlock: Sendable {
  /// Whether the playhead moves. While the transport waits for its streams it does not.
  public var isRolling: Bool
  /// The timeline frame at the stretch's first frame.
  public var frame: Int64
  /// At least 1.
  public var frameCount: Int
  /// The playhead goes from the end of the loop to its start where it comes from before the end.
  public var loop: Range<Int64>?
  /// Counts locates.
  public var locateNumber: UInt64
  /// Counts plans.
  public var planNumber: UInt64

  @_noLocks public init(
    isRolling: Bool, frame: Int64, frameCount: Int, loop: Range<Int64>? = nil, locateNumber: UInt64 = 0,
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

/// A message that a port has to send.
public struct PortEvent: Sendable {
  /// Frames from the beginning of the stretch, below its `frameCount`.
  public var offset: Int
  /// `frame` is the timeline's; a message that no region holds, such as a note-off owed, has the playhead's.
  public var message: MIDIEvent

  @_noLocks init(offset: Int, message: MIDIEvent) {
    self.offset = offset
    self.message = message
  }
}
