import DAWEngine

/// How the playhead moves from a host frame on, as far as is known.
struct Motion: Equatable {
  var isRolling = false
  /// A host frame, and the timeline frame there.
  var hostFrame: Int64 = 0
  var frame: Int64 = 0
  var loop: Range<Int64>?
  var locateNumber: UInt64 = 0
  /// Whether it began to roll at `hostFrame`, rather than before.
  var begins = false

  init() {}

  /// From the end of the record's block on.
  init(_ record: TransportRecord) {
    isRolling = record.state == .rolling && !record.isFreewheeling
    hostFrame = Int64(clamping: record.hostFrame) &+ Int64(record.frameCount)
    frame = record.nextFrame
    loop = record.loop
    locateNumber = record.locateNumber
  }

  /// Begun where the record says that it began to roll, or else at the end of its block.
  /// - Parameter mostFrames: no earlier than this.
  func fromStart(_ record: TransportRecord, mostFrames: Int64) -> Motion {
    var start = self
    start.begins = true
    guard isRolling, record.wrapCount == 0, record.rolledFrameCount <= mostFrames else { return start }
    start.hostFrame -= record.rolledFrameCount
    start.frame -= record.rolledFrameCount
    return start
  }

  /// Whether the playhead moves at a host frame.
  func isRolling(at hostFrame: Int64) -> Bool { isRolling && (!begins || hostFrame >= self.hostFrame) }

  /// The timeline frame at a host frame, while it rolls.
  func frame(at hostFrame: Int64) -> Int64 {
    let reached = frame + (hostFrame - self.hostFrame)
    guard let loop, frame < loop.upperBound, reached >= loop.upperBound else { return reached }
    return loop.lowerBound + (reached - loop.upperBound) % Int64(loop.count)
  }

  /// The timeline frame that it has come to at a host frame; where it begins, if that is still to come.
  func frameReached(at hostFrame: Int64) -> Int64 { isRolling(at: hostFrame) ? frame(at: hostFrame) : frame }

  /// Host frames from `hostFrame` until the playhead is at a timeline frame; below 0 where it has been there. Round a loop,
  /// the nearer way.
  func distance(to place: Int64) -> Int64 {
    let distance = place - frame
    guard let loop, loop.contains(place), loop.contains(frame) else { return distance }
    let length = Int64(loop.count)
    let ahead = (distance % length + length) % length
    return ahead <= length / 2 ? ahead : ahead - length
  }

  /// Whether `newer`, seen later, is the same roll, without a stop or a locate in between, if not where it was foreseen.
  func isSameRoll(as newer: Motion) -> Bool {
    isRolling && newer.isRolling && locateNumber == newer.locateNumber && loop == newer.loop
      && newer.hostFrame >= hostFrame
  }

  /// Whether the playhead does what `newer`, seen later, says.
  func goesOn(as newer: Motion) -> Bool {
    guard isRolling, newer.isRolling else { return isRolling == newer.isRolling }
    return locateNumber == newer.locateNumber && loop == newer.loop && newer.hostFrame >= hostFrame
      && frame(at: newer.hostFrame) == newer.frame
  }
}
