import DAWEngine
import DAWTime

/// The predicted motion of the playhead from a host frame on.
struct Motion: Equatable {
  var isRolling = false
  /// A host frame, and the timeline frame there.
  var hostFrame: HostFrame = 0
  var frame: TimelineFrame = 0
  var loop: Range<TimelineFrame>?
  var locateNumber: UInt64 = 0
  /// Whether it starts to roll at `hostFrame`, rather than before.
  var begins = false

  init() {}

  /// The motion from the end of the record's block on.
  init(_ record: TransportRecord) {
    isRolling = record.state == .rolling && !record.isFreewheeling
    hostFrame = HostFrame(record.hostFrame.number &+ record.frameCount)
    frame = record.nextFrame
    loop = record.loop
    locateNumber = record.locateNumber
  }

  /// The motion from the frame at which it began to roll, by the record; if unknown, from the end of its block.
  /// - Parameter maximumFrames: an earlier start than this many frames counts as unknown.
  func fromStart(_ record: TransportRecord, maximumFrames: Int) -> Motion {
    var start = self
    start.begins = true
    guard isRolling, record.wrapCount == 0, record.rolledFrame <= RolledFrame(maximumFrames) else {
      return start
    }
    let rolled = record.rolledFrame.number
    start.hostFrame -= rolled
    start.frame -= rolled
    return start
  }

  /// The host frame from which on the playhead moves so, by the record: its block's first, where a plan is taken up,
  /// unless it has wrapped or begun to roll since.
  func start(of record: TransportRecord) -> HostFrame {
    record.nextFrame - record.frame == record.frameCount ? record.hostFrame : hostFrame
  }

  /// Whether the playhead moves at a host frame.
  func isRolling(at hostFrame: HostFrame) -> Bool { isRolling && (!begins || hostFrame >= self.hostFrame) }

  /// The timeline frame at a host frame, while it rolls.
  func frame(at hostFrame: HostFrame) -> TimelineFrame { frame.played(hostFrame - self.hostFrame, loop: loop) }

  /// The timeline frame at a host frame; the starting frame before it starts.
  func frameReached(at hostFrame: HostFrame) -> TimelineFrame {
    isRolling(at: hostFrame) ? frame(at: hostFrame) : frame
  }

  /// Host frames from `hostFrame` until the playhead is at a timeline frame; negative if it was there before. Within a
  /// loop, the shorter way round.
  func distance(to place: TimelineFrame) -> Int {
    let distance = place - frame
    guard let loop, loop.contains(place), loop.contains(frame) else { return distance }
    let length = loop.count
    let ahead = (distance % length + length) % length
    return ahead <= length / 2 ? ahead : ahead - length
  }

  /// Whether `newer`, observed later, is the same roll: no stop or locate in between, possibly late.
  func isSameRoll(as newer: Motion) -> Bool {
    isRolling && newer.isRolling && locateNumber == newer.locateNumber && loop == newer.loop
      && newer.hostFrame >= hostFrame
  }

  /// Whether `newer`, observed later, is as predicted.
  func predicts(_ newer: Motion) -> Bool {
    guard isRolling, newer.isRolling else { return isRolling == newer.isRolling }
    return locateNumber == newer.locateNumber && loop == newer.loop && newer.hostFrame >= hostFrame
      && frame(at: newer.hostFrame) == newer.frame
  }
}
