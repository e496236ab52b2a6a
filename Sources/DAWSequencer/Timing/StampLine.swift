/// Gives each frame of the host's clock its stamp on the queue, so that stamps rise with frames whatever the clocks'
/// estimates do in between: stretch by stretch, from where the last one ended to the newest estimate.
struct StampLine {
  private struct Stretch {
    var firstFrame: Int64
    var endFrame: Int64
    var firstStamp: Int64
    var endStamp: Int64
  }

  private var stretches: [Stretch] = []

  /// Where the next stretch begins; `nil` before the first.
  var endFrame: Int64? { stretches.last?.endFrame }
  private var endStamp: Int64 { stretches.last?.endStamp ?? 0 }

  /// Adds a stretch.
  /// - Parameters:
  ///   - firstFrame: used, with its estimate, where the line does not end there already.
  ///   - endFrame: greater.
  ///   - estimate: nanoseconds of the queue for a host frame.
  mutating func extend(from firstFrame: Int64, to endFrame: Int64, _ estimate: (Int64) -> Int64) {
    let continues = self.endFrame == firstFrame
    let first = continues ? endStamp : max(estimate(firstFrame), endStamp + 1)
    // A nanosecond for each frame, so that no two frames share a stamp.
    let end = max(estimate(endFrame), first + (endFrame - firstFrame))
    stretches.append(Stretch(firstFrame: firstFrame, endFrame: endFrame, firstStamp: first, endStamp: end))
  }

  /// - Parameter frame: within the line; what is before or behind it has its nearest end's stamp.
  func stamp(of frame: Int64) -> Int64 {
    guard let stretch = stretches.last(where: { $0.firstFrame <= frame }) ?? stretches.first else { return 0 }
    let done = min(max(0, frame - stretch.firstFrame), stretch.endFrame - stretch.firstFrame)
    let length = Double(stretch.endFrame - stretch.firstFrame)
    return stretch.firstStamp + Int64(Double(stretch.endStamp - stretch.firstStamp) * Double(done) / length)
  }

  /// The first frame whose stamp is greater than `stamp`.
  func frame(after stamp: Int64) -> Int64 {
    guard let stretch = stretches.first(where: { $0.endStamp > stamp }) else { return endFrame ?? 0 }
    guard stamp >= stretch.firstStamp else { return stretch.firstFrame }
    let part = Double(stamp - stretch.firstStamp) / Double(stretch.endStamp - stretch.firstStamp)
    var frame = stretch.firstFrame + Int64(part * Double(stretch.endFrame - stretch.firstFrame))
    while frame < stretch.endFrame, self.stamp(of: frame) <= stamp { frame += 1 }
    return frame
  }

  /// Takes back what is at `frame` and behind.
  mutating func cut(at frame: Int64) {
    let stamp = stamp(of: frame)
    stretches.removeAll { $0.firstFrame >= frame }
    guard let last = stretches.indices.last, stretches[last].endFrame > frame else { return }
    stretches[last].endFrame = frame
    stretches[last].endStamp = stamp
  }

  /// Forgets what ends before `frame`, but for the newest stretch.
  mutating func forget(before frame: Int64) {
    guard stretches.count > 1 else { return }
    stretches.removeSubrange(..<(stretches.dropLast().firstIndex { $0.endFrame >= frame } ?? stretches.count - 1))
  }
}
