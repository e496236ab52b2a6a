/// Says what a queue's clock will show at a time of the host's clock, although the two run at slightly different speeds.
///
/// A delay-locked loop over measurements of both: each corrects the place by a part of its error, and the speed by a
/// smaller part, so that a measurement that came late hardly counts. Whatever it is given, it answers with a number, and
/// is right again a few seconds after the clocks are.
/// - SeeAlso: F. Adriaensen: Using a DLL to filter time, Linux Audio Conference 2005.
public struct ClockFollower: Sendable {
  /// The newest measurement's host time, microseconds, and what the loop makes of the queue's time there, nanoseconds.
  private var host: Double = 0
  private var queue: Double = 0
  /// Nanoseconds of the queue in a microsecond of the host.
  private var speed = 1_000.0
  private var count = 0
  /// The newest measurement's distance from what the loop had expected, nanoseconds.
  public private(set) var error: Double = 0

  /// Further apart than this, nanoseconds, and one of the clocks has jumped: a machine that slept, for one.
  private static let jump = 20_000_000.0
  /// No two clocks of a machine run at speeds further apart.
  private static let speeds = 995.0...1_005.0
  /// A measurement that took longer, microseconds, says little, unless there is none that is newer than so many.
  private static let longest: UInt64 = 500
  private static let patience = 200_000.0

  public init() {}

  /// How much faster than the host's clock the queue's runs, in millionths.
  public var drift: Double { (speed / 1_000 - 1) * 1e6 }

  /// Takes a measurement.
  /// - Parameters:
  ///   - before: the host's clock before the queue's was read, microseconds.
  ///   - queue: the queue's clock, nanoseconds.
  ///   - after: the host's clock afterwards; where it is less, nothing is learned.
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
    guard after - before < Self.longest || elapsed > Self.patience else { return }
    // Quick at first, then over about two seconds of measurements every 5 ms.
    let gain = max(0.02, 1 / Double(count + 1))
    queue = expected + gain * error
    host = time
    // Measurements that follow each other at once tell nothing of the speed.
    if count > 20 {
      let corrected = speed + gain * gain / 4 * error / max(elapsed, 4_000)
      speed = min(max(corrected, Self.speeds.lowerBound), Self.speeds.upperBound)
    }
    count += 1
  }

  /// - Parameter microseconds: of the host's clock.
  /// - Returns: nanoseconds of the queue's, −4·10¹⁸ … 4·10¹⁸.
  public func queueTime(at microseconds: UInt64) -> Int64 {
    let time = queue + (Double(microseconds) - host) * speed
    return Int64(min(max(time, -4e18), 4e18).rounded())
  }
}
