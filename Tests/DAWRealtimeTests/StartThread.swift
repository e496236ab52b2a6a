import Foundation

/// Runs `body` on a thread of its own: the pool of Swift's tasks may have too few for two that wait for each other.
/// - Returns: signalled when `body` has ended.
func startThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
  let end = DispatchSemaphore(value: 0)
  Thread {
    body()
    end.signal()
  }.start()
  return end
}
