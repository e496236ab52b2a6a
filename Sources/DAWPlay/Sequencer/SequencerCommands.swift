import DAWErrors
import DAWSequencer

/// Commands for the ALSA sequencer that need no project.
public enum SequencerCommands {
  /// Silences ports by hand.
  /// - Parameters:
  ///   - names: `CLIENT:PORT` each; none means all that there are.
  ///   - sendsEveryNote: also sends a note-off for every note of every channel, for devices that ignore controllers.
  /// - Returns: the ports, as `CLIENT:PORT` by name.
  /// - Throws: `Failure`; nothing was sent.
  public static func panic(_ names: [String], sendsEveryNote: Bool) throws -> [String] {
    do throws(SequencerError) {
      return try Panic.silence(names, sendsEveryNote: sendsEveryNote).map { "\($0.clientName):\($0.portName)" }
    } catch {
      throw Failure(error)
    }
  }

  /// Measures how exactly the sequencer keeps time.
  /// - Parameters:
  ///   - loop: a port that gives back what it is sent, `CLIENT:PORT`; `nil`: straight to ourselves.
  ///   - count: events, at least 1.
  ///   - interval: from one to the next, microseconds, at least 1.
  ///   - isInterrupted: asked many times a second; true ends it.
  /// - Throws: `Failure`.
  public static func measure(
    through loop: String?, count: Int, interval: UInt64, isInterrupted: () -> Bool
  ) throws -> TimingReport {
    do throws(SequencerError) {
      let test = try TimingTest(through: loop)
      return TimingReport(try test.run(count: count, interval: interval, isInterrupted: isInterrupted))
    } catch {
      throw Failure(error)
    }
  }
}

/// The result of a measurement. Times are microseconds.
public struct TimingReport: Encodable, Sendable {
  public var sentCount: Int
  public var receivedCount: Int
  /// Lateness of events, by percentile.
  public var offset: [String: Double]
  /// How far from the median offset they came, likewise.
  public var jitter: [String: Double]
  /// How much faster than the system's clock the queue's runs, in millionths.
  public var drift: Double

  init(_ result: TimingTest.Result) {
    sentCount = result.sentCount
    receivedCount = result.delays.count
    drift = result.drift
    let median = result.delays.value(at: 0.5) ?? 0
    var distances = Percentiles(capacity: max(1, result.delays.count))
    for delay in result.delays.all { distances.add(abs(delay - median)) }
    offset = Self.percentiles(result.delays)
    jitter = Self.percentiles(distances)
  }

  /// In their order.
  public static let percentileNames = ["p1", "p50", "p90", "p99", "p99.9", "max"]

  private static func percentiles(_ values: Percentiles) -> [String: Double] {
    var named: [String: Double] = [:]
    for (name, part) in zip(percentileNames, [0.01, 0.5, 0.9, 0.99, 0.999, 1]) { named[name] = values.value(at: part) }
    return named
  }
}
