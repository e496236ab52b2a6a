/// Gives each frame of the host's clock its stamp on the queue, so that stamps rise with frames whatever the clocks'
/// estimates do in between: stretch by stretch, from where the last one ended to the newest estimate.
///
/// Stretches follow each other in frames and in stamps and do not overlap, and no question takes longer than there are
/// stretches.
struct StampLine {
  private struct Stretch {
    var firstFrame: Int64
    /// Greater.
    var endFrame: Int64
    var firstStamp: Int64
    /// Greater by as many as there are frames at least.
    var endStamp: Int64

    /// Exact, and rounded down.
    func stamp(of frame: Int64) -> Int64 {
      guard frame > firstFrame else { return firstStamp }
      guard frame < endFrame else { return endStamp }
      return firstStamp + (endStamp - firstStamp).times(frame - firstFrame, over: endFrame - firstFrame)
    }

    /// The first frame whose stamp is greater than one that is within the stretch.
    func frame(after stamp: Int64) -> Int64 {
      let (frames, stamps) = (endFrame - firstFrame, endStamp - firstStamp)
      // Of all frames d with stamps × d / frames ≥ the next stamp, the least.
      let done = (stamp + 1 - firstStamp).times(frames, over: stamps)
      let frame = firstFrame + done
      return self.stamp(of: frame) > stamp ? frame : frame + 1
    }
  }

  private var stretches: [Stretch] = []
  /// No stretch that is added begins at this stamp or before.
  private var floor: Int64 = -1

  /// Of the queue, nanoseconds: what its seconds, 32 bits, can count to, and short of where sums overflow.
  private static let stamps: ClosedRange<Int64> = 0...4_000_000_000_000_000_000

  /// Where the next stretch begins; `nil` before the first.
  var endFrame: Int64? { stretches.last?.endFrame }
  /// The stamp there.
  var endStamp: Int64? { stretches.last?.endStamp }
  var stretchCount: Int { stretches.count }

  /// Adds a stretch. What the line has behind its beginning is cut off.
  /// - Parameters:
  ///   - firstFrame: used, with its estimate, where the line does not end there already.
  ///   - endFrame: greater, or nothing is added.
  ///   - estimate: nanoseconds of the queue for a host frame.
  mutating func extend(from firstFrame: Int64, to endFrame: Int64, _ estimate: (Int64) -> Int64) {
    guard endFrame > firstFrame else { return }
    // After more than a hundred years.
    if floor > Self.stamps.upperBound + 1 << 58 { self = StampLine() }
    if let end = self.endFrame, end > firstFrame { cut(at: firstFrame) }
    let continues = self.endFrame == firstFrame
    let first = continues ? floor : max(Self.clamped(estimate(firstFrame)), floor + 1)
    // A nanosecond for each frame, so that no two frames share a stamp.
    let end = max(Self.clamped(estimate(endFrame)), first + (endFrame - firstFrame))
    stretches.append(Stretch(firstFrame: firstFrame, endFrame: endFrame, firstStamp: first, endStamp: end))
    floor = end
  }

  private static func clamped(_ stamp: Int64) -> Int64 { min(max(stamp, stamps.lowerBound), stamps.upperBound) }

  /// - Parameter frame: within the line; what is before or behind it has its nearest end's stamp.
  func stamp(of frame: Int64) -> Int64 {
    (stretches.last { $0.firstFrame <= frame } ?? stretches.first)?.stamp(of: frame) ?? 0
  }

  /// The first frame whose stamp is greater than `stamp`; the line's end where there is none.
  func frame(after stamp: Int64) -> Int64 {
    guard let stretch = stretches.first(where: { $0.endStamp > stamp }) else { return endFrame ?? 0 }
    return stamp >= stretch.firstStamp ? stretch.frame(after: stamp) : stretch.firstFrame
  }

  /// Takes back what is at `frame` and behind.
  mutating func cut(at frame: Int64) {
    guard let end = endFrame, frame < end else { return }
    let stamp = stamp(of: frame)
    stretches.removeAll { $0.firstFrame >= frame }
    if let last = stretches.indices.last, stretches[last].endFrame > frame {
      stretches[last].endFrame = frame
      stretches[last].endStamp = stamp
    }
    floor = stretches.last?.endStamp ?? max(0, stamp) - 1
  }

  /// Forgets what ends before `frame`, but for the newest stretch.
  mutating func forget(before frame: Int64) {
    guard stretches.count > 1 else { return }
    stretches.removeSubrange(..<(stretches.dropLast().firstIndex { $0.endFrame >= frame } ?? stretches.count - 1))
  }
}

extension Int64 {
  /// The product of two that are not negative, divided, rounded down, without overflow in between.
  /// - Parameter divisor: greater than 0, and such that the result can be held.
  fileprivate func times(_ factor: Int64, over divisor: Int64) -> Int64 {
    divisor.dividingFullWidth(multipliedFullWidth(by: factor)).quotient
  }
}
