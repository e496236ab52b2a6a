/// Says what a queue's clock will show at a time of the host's clock, although the two run at slightly different speeds.
///
/// A delay-locked loop over measurements of both: each corrects the place by a part of its error, and the speed by a
/// smaller part, so that a measurement that came late hardly counts.
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

  public init() {}

  /// How much faster than the host's clock the queue's runs, in millionths.
  public var drift: Double { (speed / 1_000 - 1) * 1e6 }

  /// Takes a measurement.
  /// - Parameters:
  ///   - before: the host's clock before the queue's was read, microseconds.
  ///   - queue: the queue's clock, nanoseconds.
  ///   - after: the host's clock afterwards.
  public mutating func measure(before: UInt64, queue measured: Int64, after: UInt64) {
    let time = (Double(before) + Double(after)) / 2
    let expected = queue + (time - host) * speed
    error = Double(measured) - expected
    guard count > 0, abs(error) < Self.jump else {
      self = ClockFollower()
      (host, queue, count) = (time, Double(measured), 1)
      return
    }
    // Reading took so long that the measurement says little.
    guard after - before < 500 else { return }
    // Quick at first, then over about two seconds of measurements every 5 ms.
    let gain = max(0.02, 1 / Double(count + 1))
    let elapsed = time - host
    queue = expected + gain * error
    host = time
    if count > 20, elapsed > 0 { speed += gain * gain / 4 * error / elapsed }
    count += 1
  }

  /// - Parameter microseconds: of the host's clock.
  /// - Returns: nanoseconds of the queue's.
  public func queueTime(at microseconds: UInt64) -> Int64 {
    let distance = Double(Int64(bitPattern: microseconds &- UInt64(max(0, host))))
    return Int64((queue + (distance - (host - host.rounded(.down))) * speed).rounded())
  }
}
