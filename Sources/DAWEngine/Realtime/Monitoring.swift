import DAWTime

/// How far inputs are heard, and how a plan runs while the playhead rests. Used by the audio thread alone.
///
/// Where the transport is stopped and the plan hears inputs, the plan is *held*: it runs without its regions and
/// instruments, and its lanes stay as they are at the playhead.
struct Monitoring {
  /// What is recorded; empty for nothing.
  var recordFirst: TimelineFrame = 0
  var recordEnd: TimelineFrame = 0
  /// How far the inputs are heard that follow the transport, and all of them since they began to be heard.
  var auto = FadeLine()
  var input = FadeLine()
  /// The locate for which they were set.
  var locateNumber: UInt64 = 0

  /// Whether the fade-out under way is one of regions and instruments alone, behind which the plan is held at once.
  var outlivesFade = false

  var isHeld = false
  /// The timeline frame at which lanes are evaluated while the plan is held.
  var frame: TimelineFrame = 0
  /// The position by which effects go on while the plan is held; less than any position of a plan that rolls.
  var position: RolledFrame = 0
  private(set) var epoch: UInt64 = 0
  /// Frames done of the fade-out before it ends, or begins again elsewhere.
  var faded = 0

  @_noLocks init() {}

  /// Sets what is recorded.
  @_noLocks mutating func record(first: TimelineFrame, end: TimelineFrame) {
    recordFirst = max(0, min(first, Self.lastFrame))
    recordEnd = max(recordFirst, end)
  }

  private static var lastFrame: TimelineFrame { @_noLocks get { TimelineFrame(1 << 61) } }

  /// The state at a frame to which nothing leads.
  /// - Parameters:
  ///   - isPlaying: whether the playhead moves.
  ///   - isFadedIn: whether the inputs are heard at once.
  @_noLocks mutating func begin(
    at frame: TimelineFrame, isPlaying: Bool, isFadedIn: Bool, locateNumber: UInt64
  ) {
    auto.place = target(at: frame, isPlaying: isPlaying)
    input.place = isFadedIn ? FadeLine.end : 0
    self.locateNumber = locateNumber
  }

  @_noLocks mutating func beginHolding(at frame: TimelineFrame, locateNumber: UInt64) {
    goOnHolding(at: frame, locateNumber: locateNumber)
    begin(at: frame, isPlaying: false, isFadedIn: false, locateNumber: locateNumber)
  }

  /// Behind a fade-out of regions and instruments alone: inputs are heard as before.
  @_noLocks mutating func goOnHolding(at frame: TimelineFrame, locateNumber: UInt64) {
    isHeld = true
    faded = 0
    self.frame = frame
    position = RolledFrame(-1 << 61)
    // No locate has this one.
    epoch = ~locateNumber
    self.locateNumber = locateNumber
  }

  /// After its fade-out: what is heard next begins anew.
  @_noLocks mutating func endHolding() {
    isHeld = false
    faded = 0
    locateNumber = 0
  }

  /// Sets the lines' directions for the next frames.
  /// - Returns: for how many frames they stay straight, at least 1.
  @_noLocks mutating func aim(at frame: TimelineFrame, isPlaying: Bool) -> Int {
    var count = min(auto.aim(at: target(at: frame, isPlaying: isPlaying)), input.aim(at: FadeLine.end))
    guard isPlaying else { return count }
    if frame < recordFirst {
      count = min(count, recordFirst - frame)
    } else if frame < recordEnd {
      count = min(count, recordEnd - frame)
    }
    return count
  }

  @_noLocks mutating func advance(by count: Int) {
    auto.place += auto.step * count
    input.place += input.step * count
  }

  @_noLocks private func target(at frame: TimelineFrame, isPlaying: Bool) -> Int {
    guard isPlaying else { return FadeLine.end }
    return frame >= recordFirst ? (frame < recordEnd ? FadeLine.end : 0) : 0
  }
}

/// A share from 0 to 1 that goes straight from one to the other in 256 frames. Counted, so that no size of blocks
/// changes a bit.
struct FadeLine {
  /// 0 … `end`.
  var place = 0
  /// −1, 0 or 1 for each frame.
  private(set) var step = 0

  static var end: Int { @_noLocks get { 256 } }

  @_noLocks init() {}

  var isResting: Bool { @_noLocks get { step == 0 } }

  /// - Parameter index: of a frame from the next one on, within the straight line.
  @_noLocks func share(at index: Int) -> Float {
    Float(Int32(truncatingIfNeeded: place + step * index)) * (1 / Float(Self.end))
  }

  /// - Returns: frames until it is there; a very large number if it is.
  @_noLocks mutating func aim(at target: Int) -> Int {
    step = target > place ? 1 : (target < place ? -1 : 0)
    return step == 0 ? 1_073_741_824 : (target - place) * step
  }
}
