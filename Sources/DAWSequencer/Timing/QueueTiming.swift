import DAWEngine
import DAWTime

/// How far events are queued, the stamps of the queued frames, and the detection of clock jumps.
///
/// Three clocks are involved: the host's frames, the host's time and the queue's time. Each may jump: a restarted
/// server counts frames from 0, one that has just started does not know its frames' times, a machine is suspended. Each
/// function takes bounded time whatever the clocks do, and the stamps are right again when the clocks are.
struct QueueTiming {
  private(set) var follower = ClockFollower()
  private(set) var stampMap = StampMap()
  /// Events are queued up to this host frame.
  private(set) var queuedTo: HostFrame = 0

  /// Host frames in one round.
  struct Deadlines {
    /// The frame heard now.
    var due: HostFrame
    /// The first frame whose events can still be changed in time.
    var earliest: HostFrame
    /// The frame to queue up to.
    var horizon: HostFrame
    /// Frames in 10 ms, queued at a time, and in a second; both at least 1.
    var piece: Int
    var second: Int
  }

  /// Microseconds from now to `earliest` and to `horizon`.
  static let margin = 3_000.0
  private static let horizon = 150_000.0
  /// A greater difference between a queued stamp and the current estimate, nanoseconds, means that a clock has jumped.
  private static let maximumStampError: Int64 = 50_000_000

  mutating func measure(before: UInt64, queue: Int64, after: UInt64) {
    follower.measure(before: before, queue: queue, after: after)
  }

  /// - Returns: `nil` while the host does not know its frames' times.
  func deadlines(at now: UInt64, _ clock: any HostClock, _ record: TransportRecord) -> Deadlines? {
    let (rate, latency) = (clock.sampleRate, clock.playbackLatencyFrames)
    let begin = clock.microseconds(ofHostFrame: record.hostFrame)
    guard begin > 0, rate.isFinite, 1...10_000_000 ~= rate else { return nil }
    let elapsed = Double(Int64(bitPattern: now &- begin)) * rate / 1e6
    let due = record.hostFrame.near + Int(min(max(elapsed, -1e17), 1e17).rounded(.down)) - latency.near
    func frames(_ microseconds: Double) -> Int { Int((microseconds * rate / 1e6).rounded(.up)) }
    return Deadlines(
      due: due, earliest: due + frames(Self.margin), horizon: due + frames(Self.horizon), piece: max(1, frames(10_000)),
      second: frames(1_000_000))
  }

  /// The frame to restart from after a clock jump: the thread was suspended, nothing is queued yet, the host's frame
  /// count restarted, or the latency or a clock jumped. All queued events then have to be withdrawn.
  /// - Parameter reached: the first host frame that the queue has not delivered.
  /// - Returns: `nil` if no restart is needed. Events that became due less than a second ago are sent late; earlier
  ///   ones are skipped.
  func restart(_ deadlines: Deadlines, reached: HostFrame, _ clock: any HostClock) -> HostFrame? {
    let near = (deadlines.due - deadlines.second)...(deadlines.horizon + deadlines.second)
    guard near.contains(queuedTo) else { return deadlines.due }
    guard let frame = stampMap.endFrame, let stamp = stampMap.endStamp else { return nil }
    let estimate = estimate(clock)(frame)
    guard estimate < stamp - Self.maximumStampError || estimate > stamp + Self.maximumStampError else { return nil }
    return near.contains(reached) ? reached : deadlines.due
  }

  /// The end of the next piece to queue; `nil` if all is queued.
  func nextEnd(_ deadlines: Deadlines) -> HostFrame? {
    let end = queuedTo + deadlines.piece
    return end <= deadlines.horizon ? end : nil
  }

  /// Assigns stamps to the next frames.
  mutating func extend(to end: HostFrame, _ clock: any HostClock) {
    stampMap.extend(from: queuedTo, to: end, estimate(clock))
  }

  /// Marks frames before `end` as queued.
  mutating func advance(to end: HostFrame) { queuedTo = end }

  /// Forgets stamps that are no longer needed, a quarter of a second late.
  mutating func forget(_ deadlines: Deadlines) { stampMap.forget(before: deadlines.due - deadlines.second / 4) }

  /// Continues queueing from a frame; if that is ahead, the frames in between are skipped.
  mutating func cut(at frame: HostFrame) {
    stampMap.cut(at: frame)
    queuedTo = frame
  }

  /// Starts again at a frame, after all queued events were withdrawn.
  mutating func begin(at frame: HostFrame) {
    stampMap = StampMap()
    queuedTo = frame
  }

  /// Estimates when a host frame is heard, in nanoseconds of the queue.
  private func estimate(_ clock: any HostClock) -> (HostFrame) -> Int64 {
    let latency = clock.playbackLatencyFrames.near
    return { frame in follower.queueTime(at: clock.microseconds(ofHostFrame: max(0, frame + latency))) }
  }
}

extension Int {
  /// Clamped to ±2⁵⁸, which can be added a few times without overflow.
  fileprivate var near: Int { Swift.min(Swift.max(self, -1 << 58), 1 << 58) }
}

extension HostFrame {
  /// Clamped to ±2⁵⁸.
  fileprivate var near: HostFrame { HostFrame(number.near) }
}
