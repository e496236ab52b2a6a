import DAWTime

/// The buffers and the host's state for one call of `LiveEngine.process`. Pointers are valid during the call.
public struct LiveBlock {
  /// At the first frame.
  public var hostFrame: HostFrame
  /// ≥ 0; longer blocks than `RenderPlan.maximumFrames` are sliced.
  public var frameCount: Int
  /// Whether the host runs without a clock; only then the call may wait for streams.
  public var isFreewheeling = false
  /// The host's transport, if the engine follows it; `nil` if the engine's own transport leads.
  public var followed: FollowedTransport?
  /// Room for `frameCount` samples; overwritten.
  public var left: UnsafeMutablePointer<Float>
  /// Likewise.
  public var right: UnsafeMutablePointer<Float>
  /// Outputs of single tracks, in any order.
  public var directOuts: UnsafePointer<DirectOutBuffers>?
  public var directOutCount = 0
  /// Where what comes in goes; `nil` where nothing is recorded.
  public var capture: Unmanaged<CaptureRing>?
  /// A buffer of `frameCount` samples for each channel of `capture`, or `nil` for silence.
  public var inputs: UnsafePointer<UnsafePointer<Float>?>?
  /// The inputs of tracks that may be heard, in order of `trackID`.
  public var trackInputs: UnsafePointer<TrackInput>?
  public var trackInputCount = 0
  /// Room for `frameCount` samples of the metronome; overwritten.
  public var click: UnsafeMutablePointer<Float>?

  @_noLocks public init(
    hostFrame: HostFrame, frameCount: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
  ) {
    self.hostFrame = hostFrame
    self.frameCount = frameCount
    self.left = left
    self.right = right
  }
}

/// A host's transport at the first frame of a block.
public struct FollowedTransport: BitwiseCopyable, Sendable {
  /// `starting`: it waits at its frame until all clients are ready to roll from there.
  public enum State: BitwiseCopyable, Sendable { case stopped, starting, rolling }
  public var state: State
  public var frame: TimelineFrame

  @_noLocks public init(state: State, frame: TimelineFrame) {
    self.state = state
    self.frame = frame
  }
}

/// What comes in on a track's ports in a block.
public struct TrackInput {
  public var trackID: Int64
  /// The block's samples; `nil` for silence.
  public var left: UnsafePointer<Float>?
  /// The right channel of a stereo input; `nil`: the same as `left`.
  public var right: UnsafePointer<Float>?

  @_noLocks public init(trackID: Int64, left: UnsafePointer<Float>?, right: UnsafePointer<Float>?) {
    self.trackID = trackID
    self.left = left
    self.right = right
  }
}

/// The buffers of one track's own output.
public struct DirectOutBuffers {
  /// The track's id.
  public var trackID: Int64
  /// Room for a block; overwritten.
  public var left: UnsafeMutablePointer<Float>
  /// Likewise.
  public var right: UnsafeMutablePointer<Float>

  @_noLocks public init(trackID: Int64, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    self.trackID = trackID
    self.left = left
    self.right = right
  }
}
