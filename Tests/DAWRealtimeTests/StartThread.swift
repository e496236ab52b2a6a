import Foundation

/// Runs `body` on its own thread: Swift's cooperative pool may have too few threads for two that wait for each other.
/// - Returns: a semaphore signalled when `body` has ended.
func startThread(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
  let end = DispatchSemaphore(value: 0)
  Thread {
    body()
    end.signal()
  }.start()
  return end
}
