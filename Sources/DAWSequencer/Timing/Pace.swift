import DAWEngine

/// How far the MIDI thread has queued, with which stamps, and whether the clocks still bear it out.
///
/// Three clocks have a say: the host's frames, the host's time, and the queue's. Each may jump: a server that is started
/// anew counts from 0, one that has just begun does not know the time of its frames, a machine sleeps. Nothing here takes
/// longer for that, and the stamps are right again when the clocks are.
struct Pace {
  private(set) var follower = ClockFollower()
  private(set) var line = StampLine()
  /// All is queued up to this host frame.
  private(set) var queuedTo: Int64 = 0

  /// Host frames at the moment of a look.
  struct Places {
    /// Heard now.
    var due: Int64
    /// As near as can still be changed, so that it is done before it is due.
    var earliest: Int64
    /// To be queued up to here.
    var horizon: Int64
    /// Frames of 10 ms, queued at a time, and of a second; both at least 1.
    var piece: Int64
    var second: Int64
  }

  /// Microseconds from now to `earliest` and to `horizon`.
  static let margin = 3_000.0
  private static let horizon = 150_000.0
  /// Where what is queued has a stamp further than this from what it should have, nanoseconds, a clock has jumped.
  private static let astray: Int64 = 50_000_000

  mutating func measure(before: UInt64, queue: Int64, after: UInt64) {
    follower.measure(before: before, queue: queue, after: after)
  }

  /// - Returns: `nil` while the host does not know when its frames are.
  func places(at now: UInt64, _ clock: any HostClock, _ record: TransportRecord) -> Places? {
    let (rate, latency) = (clock.sampleRate, Int64(clock.playbackLatencyFrames))
    let begin = clock.microseconds(ofHostFrame: record.hostFrame)
    guard begin > 0, rate.isFinite, 1...10_000_000 ~= rate else { return nil }
    let elapsed = Double(Int64(bitPattern: now &- begin)) * rate / 1e6
    let due =
      Int64(clamping: record.hostFrame).near + Int64(min(max(elapsed, -1e17), 1e17).rounded(.down)) - latency.near
    func frames(_ microseconds: Double) -> Int64 { Int64((microseconds * rate / 1e6).rounded(.up)) }
    return Places(
      due: due, earliest: due + frames(Self.margin), horizon: due + frames(Self.horizon), piece: max(1, frames(10_000)),
      second: frames(1_000_000))
  }

  /// Where to go on from, all that is queued being taken back, since it is no more where it belongs: asleep for a second,
  /// never begun, a host that counts anew, a latency or a clock that jumped.
  /// - Parameter reached: the first host frame that the queue has not sent.
  /// - Returns: `nil` where all is well. What came due in less than a second is sent late; more than that is passed over.
  func restart(_ places: Places, reached: Int64, _ clock: any HostClock) -> Int64? {
    let near = (places.due - places.second)...(places.horizon + places.second)
    guard near.contains(queuedTo) else { return places.due }
    guard let frame = line.endFrame, let stamp = line.endStamp else { return nil }
    let estimate = estimate(clock)(frame)
    guard estimate < stamp - Self.astray || estimate > stamp + Self.astray else { return nil }
    return near.contains(reached) ? reached : places.due
  }

  /// The end of the next stretch to be queued; `nil` where all is.
  func nextEnd(_ places: Places) -> Int64? {
    let end = queuedTo + places.piece
    return end <= places.horizon ? end : nil
  }

  /// Gives stamps to what is queued next.
  mutating func extend(to end: Int64, _ clock: any HostClock) { line.extend(from: queuedTo, to: end, estimate(clock)) }

  /// What was to be queued up to there has been.
  mutating func advance(to end: Int64) { queuedTo = end }

  /// The line is kept a quarter of a second longer than it is needed.
  mutating func forget(_ places: Places) { line.forget(before: places.due - places.second / 4) }

  /// All is to be queued anew from a frame on; where that lies ahead, what is between is left out.
  mutating func cut(at frame: Int64) {
    line.cut(at: frame)
    queuedTo = frame
  }

  /// What is queued has been taken back, and so has the line.
  mutating func begin(at frame: Int64) {
    line = StampLine()
    queuedTo = frame
  }

  /// When a host frame is heard, nanoseconds of the queue.
  private func estimate(_ clock: any HostClock) -> (Int64) -> Int64 {
    let latency = Int64(clock.playbackLatencyFrames).near
    return { frame in follower.queueTime(at: clock.microseconds(ofHostFrame: UInt64(max(0, frame + latency)))) }
  }
}

extension Int64 {
  /// Within what can be added a few times without overflow: more frames than there are in ten thousand years.
  fileprivate var near: Int64 { Swift.min(Swift.max(self, -1 << 58), 1 << 58) }
}
