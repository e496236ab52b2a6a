import DAWMedia

/// Tells how far a bounce is, over all its renderings, and hears whether it should end. Used by one thread.
final class BounceClock {
  private let progress: MediaProgress
  private let start = ContinuousClock.now
  private let renderings: Int64
  private var rendering: Int64 = -1
  private(set) var wasCancelled = false

  /// - Parameter renderings: how many there are, at least 1.
  init(renderings: Int, progress: @escaping MediaProgress) {
    self.renderings = Int64(renderings)
    self.progress = progress
  }

  /// The next rendering begins.
  func beginNext() { rendering = min(rendering + 1, renderings - 1) }

  /// - Parameters:
  ///   - done: frames of this rendering.
  ///   - total: all it has.
  /// - Returns: whether to go on.
  func advance(to done: Int64, of total: Int64) -> Bool {
    if !progress(rendering * total + done, renderings * total) { wasCancelled = true }
    return !wasCancelled
  }

  func isCancelled() -> Bool { wasCancelled }

  /// Seconds since the bounce began.
  var elapsed: Double {
    let (seconds, attoseconds) = (ContinuousClock.now - start).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
