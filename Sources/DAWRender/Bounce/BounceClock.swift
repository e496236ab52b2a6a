import DAWMedia

/// Reports the progress of a bounce over all passes, and whether it was cancelled. Used by one thread.
final class BounceClock {
  private let progress: MediaProgress
  private let start = ContinuousClock.now
  private let passes: Int64
  private var pass: Int64 = -1

  /// - Parameter passes: their number if no gain has to be corrected, at least 1.
  init(passes: Int, progress: @escaping MediaProgress) {
    self.passes = Int64(passes)
    self.progress = progress
  }

  /// The next pass begins: a rendering, or a replay of one.
  func beginNext() { pass = min(pass + 1, passes - 1) }

  /// - Parameters:
  ///   - done: frames of this pass.
  ///   - total: all it has.
  /// - Returns: whether to go on.
  func advance(to done: Int64, of total: Int64) -> Bool { progress(pass * total + done, passes * total) }

  /// Seconds since the bounce began.
  var elapsed: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
