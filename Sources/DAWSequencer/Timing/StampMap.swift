import DAWEngine
import DAWTime

/// A piecewise linear map from host frames to stamps of the queue, strictly increasing whatever the clock estimates do:
/// each segment goes from the end of the last one to the newest estimate.
///
/// Segments are in order of frames and of stamps and do not overlap. Each query takes time linear in the number of
/// segments.
struct StampMap {
  private struct Segment {
    var firstFrame: HostFrame
    /// Greater than `firstFrame`.
    var endFrame: HostFrame
    var firstStamp: Int64
    /// Greater than `firstStamp` by at least the number of frames.
    var endStamp: Int64

    /// Exact, rounded down.
    func stamp(of frame: HostFrame) -> Int64 {
      guard frame > firstFrame else { return firstStamp }
      guard frame < endFrame else { return endStamp }
      return firstStamp
        + (endStamp - firstStamp).multiplied(
          by: Int64(frame - firstFrame), dividedBy: Int64(endFrame - firstFrame))
    }

    /// The first frame whose stamp is greater than `stamp`, which is within the segment.
    func frame(after stamp: Int64) -> HostFrame {
      let (frames, stamps) = (Int64(endFrame - firstFrame), endStamp - firstStamp)
      // The least d with stamps × d / frames ≥ stamp + 1.
      let done = (stamp + 1 - firstStamp).multiplied(by: frames, dividedBy: stamps)
      let frame = firstFrame + Int(done)
      return self.stamp(of: frame) > stamp ? frame : frame + 1
    }
  }

  private var segments: [Segment] = []
  /// New segments begin after this stamp.
  private var floor: Int64 = -1

  /// The queue's time, nanoseconds: within its 32-bit seconds, and without overflow in sums.
  private static let stamps: ClosedRange<Int64> = 0...4_000_000_000_000_000_000

  /// The end of the map; `nil` if it is empty.
  var endFrame: HostFrame? { segments.last?.endFrame }
  /// The stamp there.
  var endStamp: Int64? { segments.last?.endStamp }
  var segmentCount: Int { segments.count }

  /// Appends a segment. Segments after its first frame are cut off.
  /// - Parameters:
  ///   - firstFrame: starts at its estimate, unless the map ends there already.
  ///   - endFrame: nothing is added unless it is greater than `firstFrame`.
  ///   - estimate: the estimated stamp of a host frame.
  mutating func extend(from firstFrame: HostFrame, to endFrame: HostFrame, _ estimate: (HostFrame) -> Int64) {
    guard endFrame > firstFrame else { return }
    // Only after more than a hundred years.
    if floor > Self.stamps.upperBound + 1 << 58 { self = StampMap() }
    if let end = self.endFrame, end > firstFrame { cut(at: firstFrame) }
    let continues = self.endFrame == firstFrame
    let first = continues ? floor : max(Self.clamped(estimate(firstFrame)), floor + 1)
    // A nanosecond for each frame, so that no two frames share a stamp.
    let end = max(Self.clamped(estimate(endFrame)), first + Int64(endFrame - firstFrame))
    segments.append(Segment(firstFrame: firstFrame, endFrame: endFrame, firstStamp: first, endStamp: end))
    floor = end
  }

  private static func clamped(_ stamp: Int64) -> Int64 { min(max(stamp, stamps.lowerBound), stamps.upperBound) }

  /// - Parameter frame: outside of the map, the nearest end's stamp is returned.
  func stamp(of frame: HostFrame) -> Int64 {
    (segments.last { $0.firstFrame <= frame } ?? segments.first)?.stamp(of: frame) ?? 0
  }

  /// The first frame whose stamp is greater than `stamp`; the map's end if there is none.
  func frame(after stamp: Int64) -> HostFrame {
    guard let segment = segments.first(where: { $0.endStamp > stamp }) else { return endFrame ?? 0 }
    return stamp >= segment.firstStamp ? segment.frame(after: stamp) : segment.firstFrame
  }

  /// Removes the map from `frame` on.
  mutating func cut(at frame: HostFrame) {
    guard let end = endFrame, frame < end else { return }
    let stamp = stamp(of: frame)
    segments.removeAll { $0.firstFrame >= frame }
    if let last = segments.indices.last, segments[last].endFrame > frame {
      segments[last].endFrame = frame
      segments[last].endStamp = stamp
    }
    floor = segments.last?.endStamp ?? max(0, stamp) - 1
  }

  /// Removes segments that end before `frame`, except for the newest.
  mutating func forget(before frame: HostFrame) {
    guard segments.count > 1 else { return }
    segments.removeSubrange(..<(segments.dropLast().firstIndex { $0.endFrame >= frame } ?? segments.count - 1))
  }
}

extension Int64 {
  /// `self × factor ÷ divisor`, rounded down, without overflow in between. Neither factor is negative.
  /// - Parameter divisor: > 0, and such that the result fits.
  fileprivate func multiplied(by factor: Int64, dividedBy divisor: Int64) -> Int64 {
    divisor.dividingFullWidth(multipliedFullWidth(by: factor)).quotient
  }
}
