/// What one call of `LiveEngine.process` is to fill. The pointers are valid during the call.
public struct LiveBlock {
  /// The host's clock at the first frame; it never wraps.
  public var hostFrame: UInt64
  /// Any number.
  public var frameCount: Int
  /// Whether the host runs without a clock. Only then may the call wait for streams.
  public var isFreewheeling = false
  /// The host's transport where it leads; `nil` where the engine's own does.
  public var followed: FollowedTransport?
  /// Room for `frameCount` samples; overwritten.
  public var left: UnsafeMutablePointer<Float>
  /// Likewise.
  public var right: UnsafeMutablePointer<Float>
  /// Tracks that have outputs of their own, in any order.
  public var directOuts: UnsafePointer<DirectOutBuffers>?
  public var directOutCount = 0
  /// Room for `frameCount` samples of the metronome; overwritten.
  public var click: UnsafeMutablePointer<Float>?

  @_noLocks public init(
    hostFrame: UInt64, frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    self.hostFrame = hostFrame
    self.frameCount = frameCount
    self.left = left
    self.right = right
  }
}

/// A host's transport at a block's first frame.
public struct FollowedTransport: BitwiseCopyable, Sendable {
  public enum State: BitwiseCopyable, Sendable { case stopped, starting, rolling }
  public var state: State
  /// Timeline frame.
  public var frame: Int64

  @_noLocks public init(state: State, frame: Int64) {
    self.state = state
    self.frame = frame
  }
}

/// Where a track's own output goes.
public struct DirectOutBuffers {
  /// The track's id.
  public var slot: Int64
  /// Room for a block; overwritten.
  public var left: UnsafeMutablePointer<Float>
  /// Likewise.
  public var right: UnsafeMutablePointer<Float>

  @_noLocks public init(slot: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    self.slot = slot
    self.left = left
    self.right = right
  }
}
