import DAWTime

/// The identity of a file stream: a stream with the same key continues when a new plan is published.
struct FileStreamKey: Hashable {
  var regionID: Int64
  var path: String
  var sha256: String
  var anchor: TimelineFrame
  /// `LivePlan.timelineEpoch`.
  var timelineEpoch: UInt64
  /// Set for the frames that stay in memory at the loop's start: the first of them.
  var heldFrom: FileFrame?
}

/// A file stream of the pool. Its window has the same index.
struct FileStream {
  var key: FileStreamKey?
  var source: AudioSource?
  /// The end of what is needed.
  var limit: FileFrame = 0
  /// The playhead's position that the stream was opened or moved for.
  var locateNumber: UInt64 = 0
  var wrapCount: UInt64 = 0
  /// The number of the last scan that needed it.
  var neededInScan: UInt64 = 0
  /// Set while its file cannot be read: when to try again.
  var retry: ContinuousClock.Instant?
  /// Whether it has been primed since it was opened or moved, so that frames missing mean a late disk.
  var isSettled = false
  var generation: UInt32 = 0

  var isBroken: Bool { retry != nil }
}

/// A stream that is needed now or soon.
struct NeededStream {
  var key: FileStreamKey
  var source: AudioSource
  /// Plans that need it, as bits of `Butler.bit(of:)`.
  var plans: UInt64
  /// Frames until it sounds, ≥ 0.
  var distance: Int
  /// The first frame needed.
  var first: FileFrame
  /// The end of what is needed.
  var limit: FileFrame
  /// −1 until it is open.
  var window = -1

  var isHeld: Bool { key.heldFrom != nil }
}
