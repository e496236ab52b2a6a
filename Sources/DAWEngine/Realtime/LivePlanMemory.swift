import Synchronization

/// What the audio thread follows of a plan that is played live. `LivePlan` owns it.
struct LivePlanMemory {
  var number: UInt64
  /// Frames in the longest slice.
  var maximumFrames: Int
  var runner: Unmanaged<PlanRunner>
  /// Of each region, a `StreamTicket` to the frames ahead.
  var regions: UnsafeMutablePointer<Atomic<UInt64>>
  /// Of each region, a `StreamTicket` to what stays in memory behind the loop's start.
  var heldRegions: UnsafeMutablePointer<Atomic<UInt64>>
  /// Of each region, the one that was read two behind it in the slice before, −1 where there was none. The audio thread's.
  var followers: UnsafeMutablePointer<Int>
  /// Of each instrument, a `StreamTicket`.
  var instruments: UnsafeMutablePointer<Atomic<UInt64>>
  var instrumentCount: Int
  /// The locate number for whose place the butler has primed the plan's files; 0 before.
  var filesReady: UnsafeMutablePointer<Atomic<UInt64>>
  /// Likewise the instruments' threads its instruments.
  var instrumentsReady: UnsafeMutablePointer<Atomic<UInt64>>
  var directOuts: UnsafeMutablePointer<DirectOut>
  var directOutCount: Int
  var clicks: UnsafeMutablePointer<Click>
  var clickCount: Int
  var mapping: LinkedMapping
}

/// Where the places of the plan before lie in this one.
struct LinkedMapping {
  /// Frames of the plan before, `step` apart, and where each lies now. `count` 0: nothing moves.
  var first: Int64
  var step: Int64
  var frames: UnsafeMutablePointer<Int64>
  var count: Int
  /// The loop as it was, and as it is now.
  var loopBefore: (first: Int64, end: Int64)
  var loopNow: (first: Int64, end: Int64)

  /// Straight between the points, and on from the outermost ones.
  @_noLocks func frame(_ old: Int64) -> Int64 {
    guard count > 0 else { return old }
    let index = old < first ? 0 : min(Int((old - first) / step), max(0, count - 2))
    let base = first + Int64(index) * step
    guard index + 1 < count else { return frames[index] + old - base }
    let slope = Double(frames[index + 1] - frames[index]) / Double(step)
    let rest = Double(old - base) * slope
    return frames[index] + Int64(rest < 0 ? rest - 0.5 : rest + 0.5)
  }
}
