import DAWEngine
import DAWTime

/// What came in last, recorded or not: it stays in the ring for as long. Used by the writing thread alone.
struct RememberedInput {
  let frameCount: Int
  /// In the ring's order, not given back yet.
  private var runs: [CapturedBlock] = []

  /// - Parameter frameCount: the most frames that can be asked for; 0: nothing is remembered.
  init(frameCount: Int) { self.frameCount = frameCount }

  /// Adds a run that was taken, and gives back those that are too old.
  mutating func add(_ run: CapturedBlock, _ ring: CaptureRing) {
    runs.append(run)
    let tooLate = runs.firstIndex { $0.end > run.end - frameCount } ?? runs.count
    if tooLate > 0 { ring.release(runs[tooLate - 1]) }
    runs.removeFirst(tooLate)
  }

  /// Gives back all runs.
  mutating func forgetAll(_ ring: CaptureRing) {
    if let last = runs.last { ring.release(last) }
    runs = []
  }

  /// The last frames, or as many as there are.
  func last(_ frameCount: Int) -> [CapturedBlock] {
    guard let end = runs.last?.end else { return [] }
    let start = end - min(frameCount, self.frameCount)
    return runs.compactMap { run in
      let skipped = max(0, start - run.hostFrame)
      guard skipped < run.frameCount else { return nil }
      var part = run
      part.hostFrame += skipped
      part.index += skipped
      part.frameCount -= skipped
      return part
    }
  }
}
