import DAWTime

/// What was played at each host frame, and whether it is recorded: made of the changes that a `CaptureRing` carries.
///
/// A host frame is recorded while recording is on, the transport rolls, and its timeline frame is within the punch
/// range. Used by one thread at a time.
public struct CapturedTimeline: Sendable {
  private var punch: Range<TimelineFrame>?
  /// The punch range of what earlier plans have played; `nil` where that is `punch` too.
  private var earlierPunch: EarlierPunch?
  private var punchFromLocate: Punch?
  private var stretches: [Stretch] = []
  /// The number of transport starts and of switches of recording: a pass never goes across one.
  private var startCount: UInt64 = 0
  public private(set) var isOn = false
  /// The host frame of the last switch of recording; `nil`: `isOn` holds at all host frames.
  private var switchedAt: HostFrame?

  private struct Stretch {
    var change: TimelineChange
    var isOn: Bool
    var startCount: UInt64
    var punch: Range<TimelineFrame>?
  }

  private struct Punch {
    var range: Range<TimelineFrame>?
    var first: HostFrame
  }

  private struct EarlierPunch {
    var range: Range<TimelineFrame>?
    /// The first plan to which it does not apply.
    var planNumber: UInt64
  }

  /// - Parameter punch: the only timeline frames that are recorded; `nil`: all.
  public init(punch: Range<TimelineFrame>? = nil) { self.punch = punch }

  /// Of all host frames that are still asked for, only these timeline frames are recorded; `nil`: all. What was played
  /// before recording was switched last may come in later, and is recorded as before.
  /// - Parameter number: what the plans before this one have played is recorded as before, too: its frames may be those
  ///   of another tempo.
  public mutating func setPunch(_ range: Range<TimelineFrame>?, fromPlan number: UInt64 = 0) {
    punchFromLocate = nil
    earlierPunch = number > 0 ? EarlierPunch(range: punch, planNumber: number) : nil
    punch = range
    for index in stretches.indices where switchedAt.map({ stretches[index].change.hostFrame >= $0 }) ?? true {
      if stretches[index].change.planNumber >= number { stretches[index].punch = range }
    }
  }

  private func punchRange(of change: TimelineChange) -> Range<TimelineFrame>? {
    if let earlierPunch, change.planNumber < earlierPunch.planNumber { return earlierPunch.range }
    return punch
  }

  /// Sets the timeline frames that are recorded from the next locate on; `nil`: all. What was played before that locate
  /// may come in later, and is recorded as before.
  /// - Parameter first: the first host frame at which that locate can be.
  public mutating func setPunchFromLocate(_ range: Range<TimelineFrame>?, notBefore first: HostFrame) {
    punchFromLocate = Punch(range: range, first: first)
  }

  /// What a stretch of host frames is to a recording.
  public struct Segment: Equatable, Sendable {
    /// The first host frame behind it.
    public var end: HostFrame
    public var content: Content
    /// Of the plan that was heard, where it is recorded.
    public var planNumber: UInt64 = 0
    /// Whether the transport rolls on from the end of the punch range here.
    public var beginsBehindPunch = false
  }

  /// What is played in a segment, and whether it is recorded.
  public enum Content: Equatable, Sendable {
    /// Stopped, or not to be recorded.
    case nothing
    /// Within a pass, if one has begun, but at no place of the timeline: a locate, or frames for which the host did not
    /// call.
    case between
    /// Recorded: of which pass, and the timeline frame of the first host frame.
    case recorded(PassKey, TimelineFrame)
  }

  /// Tells passes apart: a loop's wrap, a start of the transport, and switching recording on begin another.
  public struct PassKey: Hashable, Sendable {
    var startCount: UInt64
    var wrapCount: UInt64

    /// Whether a loop went round from the end of that pass.
    public func follows(_ earlier: PassKey) -> Bool {
      startCount == earlier.startCount && wrapCount > earlier.wrapCount
    }
  }

  /// Adds a change, later than all before it, or at the same host frame as the last.
  public mutating func add(_ change: TimelineChange) {
    if change.misreadFrames > 0 { return correct(change) }
    // The host's clock has begun again: the host frames of what was before mean nothing in it.
    if let last = stretches.last, change.hostFrame < last.change.hostFrame {
      stretches = []
      switchedAt = nil
      punchFromLocate?.first = change.hostFrame
    }
    if let last = stretches.last, last.isOn == isOn, last.change.predicts(change) { return }
    if let punch = punchFromLocate, change.motion == .rolling, change.hostFrame >= punch.first,
      stretches.last?.change.leads(to: change) != true
    {
      self.punch = punch.range
      earlierPunch = nil
      punchFromLocate = nil
    }
    if change.motion != .stopped, stretches.last?.change.motion ?? .stopped == .stopped { startCount += 1 }
    if stretches.last?.change.hostFrame == change.hostFrame { stretches.removeLast() }
    stretches.append(Stretch(change: change, isOn: isOn, startCount: startCount, punch: punchRange(of: change)))
  }

  /// What was noted from a host frame on belongs to earlier frames; what was noted for these did not happen.
  private mutating func correct(_ correction: TimelineChange) {
    let first = correction.hostFrame - correction.misreadFrames
    stretches.removeAll { first <= $0.change.hostFrame && $0.change.hostFrame < correction.hostFrame }
    for index in stretches.indices where stretches[index].change.hostFrame >= correction.hostFrame {
      stretches[index].change.hostFrame -= correction.misreadFrames
    }
    if let at = switchedAt, at >= correction.hostFrame { switchedAt = at - correction.misreadFrames }
  }

  /// Switches recording on or off from a host frame on. What is off already may be off from an earlier frame on.
  public mutating func setRecording(_ isOn: Bool, from hostFrame: HostFrame) {
    let isOffEarlier = !isOn && switchedAt.map { hostFrame < $0 } == true
    guard isOn != self.isOn || isOffEarlier else { return }
    self.isOn = isOn
    switchedAt = hostFrame
    startCount += 1
    guard let index = stretches.lastIndex(where: { $0.change.hostFrame <= hostFrame }) else { return update(from: 0) }
    let punch = stretches[index].punch
    var change = stretches[index].change
    if change.motion == .rolling { change.frame += hostFrame - change.hostFrame }
    change.hostFrame = hostFrame
    if stretches[index].change.hostFrame == hostFrame { stretches.remove(at: index) } else { update(from: index + 1) }
    let place = stretches.firstIndex { $0.change.hostFrame > hostFrame } ?? stretches.endIndex
    stretches.insert(Stretch(change: change, isOn: isOn, startCount: startCount, punch: punch), at: place)
    update(from: place)
  }

  private mutating func update(from index: Int) {
    for index in index..<max(index, stretches.count) {
      stretches[index].isOn = isOn
      stretches[index].startCount = startCount
    }
  }

  /// This timeline as if recording had been on all the time, without a punch range. If the transport stood still at all
  /// of these host frames, they are placed on the timeline so that they end at the playhead, but begin at 0 at the
  /// earliest.
  /// - Returns: `nil` if they have no place: none of them rolled, and the transport does not stand still at the end.
  public func keeping(_ frames: Range<HostFrame>) -> CapturedTimeline? {
    var kept = self
    kept.isOn = true
    kept.switchedAt = nil
    kept.update(from: 0)
    kept.setPunch(nil)
    if kept.records(in: frames) { return kept }
    guard let last = stretches.last?.change, last.motion == .stopped else { return nil }
    kept.stretches = []
    kept.add(
      TimelineChange(
        hostFrame: frames.lowerBound, frame: max(0, last.frame - frames.count), motion: .rolling, wrapCount: 0,
        planNumber: last.planNumber))
    return kept
  }

  /// The frames of the shortest loop that went round within these host frames; `nil` if none did.
  public func shortestLoop(in frames: Range<HostFrame>) -> Int? {
    zip(stretches, stretches.dropFirst()).compactMap { former, next -> Int? in
      let last = former.change
      let first = next.change
      guard frames.lowerBound < first.hostFrame, first.hostFrame < frames.upperBound, last.motion == .rolling,
        first.motion == .rolling, last.wrapCount < first.wrapCount
      else { return nil }
      let behind = last.frame + (first.hostFrame - last.hostFrame)
      return (behind - first.frame) / Int(clamping: first.wrapCount - last.wrapCount)
    }.min()
  }

  /// Whether any of these host frames is recorded.
  private func records(in frames: Range<HostFrame>) -> Bool {
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let segment = segment(at: frame)
      if case .recorded = segment.content { return true }
      frame = segment.end
    }
    return false
  }

  /// Forgets what is needed for no frame from `hostFrame` on.
  public mutating func forget(before hostFrame: HostFrame) {
    guard let index = stretches.lastIndex(where: { $0.change.hostFrame <= hostFrame }), index > 0 else { return }
    stretches.removeFirst(index)
  }

  /// Whether nothing is recorded at a host frame, nor behind it until the transport or the recording changes.
  public func isIdle(at hostFrame: HostFrame) -> Bool {
    guard let stretch = stretches.last(where: { $0.change.hostFrame <= hostFrame }) else { return true }
    return !stretch.isOn || stretch.change.motion == .stopped
  }

  /// Whether the transport rolls at a host frame, and a loop went round from the end of a pass.
  public func rolls(at hostFrame: HostFrame, behind pass: PassKey) -> Bool {
    guard let stretch = stretches.last(where: { $0.change.hostFrame <= hostFrame }), stretch.change.motion == .rolling
    else { return false }
    return PassKey(startCount: stretch.startCount, wrapCount: stretch.change.wrapCount).follows(pass)
  }

  /// The longest stretch from a host frame on that has one content.
  public func segment(at hostFrame: HostFrame) -> Segment {
    guard let index = stretches.lastIndex(where: { $0.change.hostFrame <= hostFrame }) else {
      return Segment(end: stretches.first?.change.hostFrame ?? .max, content: .nothing)
    }
    let stretch = stretches[index]
    let end = index + 1 < stretches.count ? stretches[index + 1].change.hostFrame : .max
    guard stretch.isOn else { return Segment(end: end, content: .nothing) }
    switch stretch.change.motion {
    case .stopped: return Segment(end: end, content: .nothing)
    case .between: return Segment(end: end, content: .between)
    case .rolling: break
    }
    let frame = stretch.change.frame + (hostFrame - stretch.change.hostFrame)
    let key = PassKey(startCount: stretch.startCount, wrapCount: stretch.change.wrapCount)
    // What counts in lies before 0.
    let range = (stretch.punch ?? 0..<TimelineFrame.max).clamped(to: 0..<TimelineFrame.max)
    if frame < range.lowerBound {
      return Segment(end: min(end, hostFrame + (range.lowerBound - frame)), content: .nothing)
    }
    guard frame < range.upperBound else {
      let isBehind = frame == range.upperBound && isPlayedTo(hostFrame, in: index)
      return Segment(end: end, content: .nothing, beginsBehindPunch: isBehind)
    }
    let left = range.upperBound - frame
    let punchEnd = left > HostFrame.max - hostFrame ? HostFrame.max : hostFrame + left
    return Segment(
      end: min(end, punchEnd), content: .recorded(key, frame), planNumber: stretch.change.planNumber)
  }

  /// Whether the transport has rolled to a host frame of a stretch: a locate leads to the first one of its own.
  private func isPlayedTo(_ hostFrame: HostFrame, in index: Int) -> Bool {
    let change = stretches[index].change
    guard hostFrame == change.hostFrame else { return true }
    return index > 0 && stretches[index - 1].change.leads(to: change)
  }
}
