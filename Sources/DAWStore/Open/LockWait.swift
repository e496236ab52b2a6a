import Foundation

/// How a connection waits for the lock that another one has.
///
/// SQLite's own time-out asks less and less often, at last every 100 ms. Among many short writers, one that has
/// just come then asks more often than one that has waited long, which can be refused in the end though none has held
/// the lock for long. Here all ask about equally often.
///
/// Unchecked: used only on its connection's queue.
final class LockWait: @unchecked Sendable {
  /// Whether it waits at all.
  private var isOn = true
  private var deadline = SuspendingClock.now
  private var lastAttempt = SuspendingClock.now
  private let sleep: (Double) -> Void

  /// Seconds between two attempts. Random, so that no two processes keep step.
  private static let pauses = 0.001...0.01

  /// - Parameter sleep: waits for so many seconds; tests look at them.
  init(sleep: @escaping (Double) -> Void = { Thread.sleep(forTimeInterval: $0) }) { self.sleep = sleep }

  /// SQLite's busy handler: sleeps for a moment.
  /// - Parameters:
  ///   - count: how often SQLite has called it in vain for the same lock.
  ///   - timeout: how long to wait in total, in seconds.
  /// - Returns: whether to try again.
  func goesOn(afterTries count: Int, timeout: Double) -> Bool {
    guard isOn else { return false }
    let now = SuspendingClock.now
    // Where SQLite reads the schema anew, it counts on from what it waited for before, however long ago. A process that
    // was stopped meanwhile also waits anew.
    if count == 0 || now - lastAttempt > .seconds(1) { deadline = now + .seconds(timeout) }
    let left = (deadline - now) / Duration.seconds(1)
    guard left > 0 else { return false }
    sleep(min(Double.random(in: Self.pauses), left))
    lastAttempt = SuspendingClock.now
    return true
  }

  /// Runs `body` without waiting for a lock.
  func turnedOff<T>(_ body: () throws -> T) rethrows -> T {
    isOn = false
    defer { isOn = true }
    return try body()
  }
}
