/// Predicts a queue's time from the host's time; the two clocks run at slightly different speeds.
///
/// A second-order delay-locked loop over measurements of both: each corrects the offset by a part of its error and the
/// speed by a smaller part, so a late measurement has little effect. Its result is always finite, and is right again a
/// few seconds after the clocks are.
/// - SeeAlso: F. Adriaensen: Using a DLL to filter time, Linux Audio Conference 2005.
public struct ClockFollower: Sendable {
  /// The newest measurement's host time, microseconds, and the loop's estimate of the queue's time then, nanoseconds.
  private var host: Double = 0
  private var queue: Double = 0
  /// Nanoseconds of the queue per microsecond of the host.
  private var speed = 1_000.0
  private var count = 0
  /// The newest measurement minus the prediction, nanoseconds.
  public private(set) var error: Double = 0

  /// A greater error, nanoseconds, means that a clock has jumped, for instance after suspend; the loop restarts.
  private static let jump = 20_000_000.0
  /// Limits of `speed`; no two clocks of a machine differ by more.
  private static let speeds = 995.0...1_005.0
  /// A measurement that took longer, microseconds, is ignored, unless the last one used is older than `longestGap`,
  /// microseconds.
  private static let longest: UInt64 = 500
  private static let longestGap = 200_000.0

  public init() {}

  /// The speed of the queue's clock relative to the host's, minus 1, in ppm.
  public var drift: Double { (speed / 1_000 - 1) * 1e6 }

  /// Adds a measurement.
  /// - Parameters:
  ///   - before: the host's time before the queue's was read, microseconds.
  ///   - queue: the queue's time, nanoseconds.
  ///   - after: the host's time afterwards, microseconds; if it is less than `before`, the measurement is ignored.
  public mutating func measure(before: UInt64, queue measured: Int64, after: UInt64) {
    guard after >= before else { return }
    let uncertainty = Double(after - before) / 2
    let time = Double(before) + uncertainty
    let elapsed = time - host
    let expected = queue + elapsed * speed
    error = Double(measured) - expected
    guard count > 0, elapsed >= 0, abs(error) < Self.jump + uncertainty * 1_000 else {
      self = ClockFollower()
      (host, queue, count) = (time, Double(measured), 1)
      return
    }
    guard after - before < Self.longest || elapsed > Self.longestGap else { return }
    // A running mean at first, then a time constant of about two seconds at measurements every 5 ms.
    let gain = max(0.02, 1 / Double(count + 1))
    queue = expected + gain * error
    host = time
    // Divided by at least 4 ms: measurements in quick succession say nothing about the speed.
    if count > 20 {
      let corrected = speed + gain * gain / 4 * error / max(elapsed, 4_000)
      speed = min(max(corrected, Self.speeds.lowerBound), Self.speeds.upperBound)
    }
    count += 1
  }

  /// - Parameter microseconds: the host's time.
  /// - Returns: the queue's time, nanoseconds, −4·10¹⁸ … 4·10¹⁸.
  public func queueTime(at microseconds: UInt64) -> Int64 {
    let time = queue + (Double(microseconds) - host) * speed
    return Int64(min(max(time, -4e18), 4e18).rounded())
  }

  /// The inverse of `queueTime(at:)`.
  /// - Parameter nanoseconds: the queue's time.
  /// - Returns: the host's time, microseconds.
  public func hostTime(at nanoseconds: Int64) -> Double { host + (Double(nanoseconds) - queue) / speed }
}
