import DAWTime
import Synchronization

/// A live plan as the audio thread reads it. Owned by `LivePlan`.
struct LivePlanMemory {
  var number: UInt64
  /// Frames in the longest slice.
  var maximumFrames: Int
  var runner: Unmanaged<PlanRunner>
  /// The passage from the plan `passageBase`; `nil` if there is none, or nothing sounds different.
  var passage: Unmanaged<PlanRunner>?
  var passageDirectOuts: UnsafeMutablePointer<DirectOut>
  var passageDirectOutCount: Int
  var passageBase: UInt64
  /// Whether there is no passage from that plan, so that playback has to end and begin again.
  var needsRestart: Bool
  /// Frames for which effects run before the first frame is heard.
  var latency: Int
  /// Whether it hears inputs, and whether its gains depend on where the playhead is.
  var isMonitored: Bool
  var movesGains: Bool
  /// For each region, the `StreamHandle` of its stream.
  var regions: UnsafeMutablePointer<Atomic<UInt64>>
  /// For each region, the `StreamHandle` of the frames that stay in memory at the loop's start.
  var heldRegions: UnsafeMutablePointer<Atomic<UInt64>>
  /// For each region that is read, the one read two after it in the previous slice, −1 for none. Used by the audio
  /// thread alone.
  var followers: UnsafeMutablePointer<Int>
  var passageFollowers: UnsafeMutablePointer<Int>
  /// For each instrument, the `StreamHandle` of its stream.
  var instruments: UnsafeMutablePointer<Atomic<UInt64>>
  var instrumentCount: Int
  /// The locate number for which the plan's files are primed; 0 for none. Written by the butler.
  var filesReady: UnsafeMutablePointer<Atomic<UInt64>>
  /// The locate number for which the plan's instruments are primed; 0 for none. Written by the instruments' threads.
  var instrumentsReady: UnsafeMutablePointer<Atomic<UInt64>>
  var directOuts: UnsafeMutablePointer<DirectOut>
  var directOutCount: Int
  var clicks: UnsafeMutablePointer<Click>
  var clickCount: Int
  var mapping: LinkedMapping
}

/// A piecewise linear mapping from the timeline of the plan before.
struct LinkedMapping {
  /// Where the old frames `first`, `first + step`, … lie now. With `count` 0 nothing moves.
  var first: TimelineFrame
  var step: Int
  var frames: UnsafeMutablePointer<TimelineFrame>
  var count: Int
  /// Likewise the old frames from the loop's start on; with `loopCount` 0 there is no loop.
  var loopFrames: UnsafeMutablePointer<TimelineFrame>
  var loopCount: Int
  /// The loop before and after.
  var loopBefore: (first: TimelineFrame, end: TimelineFrame)
  var loopNow: (first: TimelineFrame, end: TimelineFrame)

  /// Linear between the points; extrapolated beyond the first and the last.
  @_noLocks func frame(_ old: TimelineFrame) -> TimelineFrame {
    guard count > 0 else { return old }
    // What lies before the first point has wrapped since the points were made.
    if old < first, loopCount > 0, old >= loopBefore.first {
      return frame(old, from: loopBefore.first, loopFrames, loopCount)
    }
    return frame(old, from: first, frames, count)
  }

  /// Where a playhead lies now. One in the loop, or before it, stays before the loop's end, whatever is rounded: behind
  /// the end it would never wrap.
  @_noLocks func playhead(
    _ old: TimelineFrame, loopFirst: TimelineFrame, loopEnd: TimelineFrame
  ) -> TimelineFrame {
    let moved = max(0, frame(old))
    guard loopFirst < loopEnd, old < loopEnd, loopBefore == (loopFirst, loopEnd) else { return moved }
    return min(moved, loopNow.end - 1)
  }

  @_noLocks private func frame(
    _ old: TimelineFrame, from first: TimelineFrame, _ frames: UnsafeMutablePointer<TimelineFrame>, _ count: Int
  ) -> TimelineFrame {
    let index = old < first ? 0 : min((old - first) / step, max(0, count - 2))
    let base = first + index * step
    guard index + 1 < count else { return frames[index] + (old - base) }
    let slope = Double(frames[index + 1] - frames[index]) / Double(step)
    let rest = Double(old - base) * slope
    return frames[index] + Int(rest < 0 ? rest - 0.5 : rest + 0.5)
  }
}
