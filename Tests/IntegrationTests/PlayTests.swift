import DAWTestSupport
import Dispatch
import Glibc
import Testing

/// Tests with a JACK server of their own: one after the other, since each of them wants the machine's time, and since libjack
/// is not safe for clients of two servers at once.
@Suite("Playing live", .serialized, .ownThread, .enabled(if: JackServer.isAvailable))
struct PlayTests {}

/// Runs a suite on a thread beside those of all other tests, of which there are as many as processors: tests that mostly
/// wait would take one of these away, and would be the last to begin.
struct OwnThreadTrait: SuiteTrait, TestScoping {
  private let executor = QueueExecutor()

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(executor) { try await function() }
  }
}

extension Trait where Self == OwnThreadTrait {
  static var ownThread: Self { OwnThreadTrait() }
}

/// A thread for one suite, which goes before what else the machine does, with all processes that it starts, where that is
/// allowed: what is played live must not be late.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "daw.test")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      let thread = __priority_which_t(PRIO_PROCESS.rawValue)
      setpriority(thread, 0, -10)
      job.runSynchronously(on: self.asUnownedTaskExecutor())
      setpriority(thread, 0, 0)
    }
  }
}
