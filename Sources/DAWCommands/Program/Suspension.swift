import Foundation
import Synchronization

/// Ctrl-Z while something plays: what sounds is ended before the process is stopped.
enum Suspension {
  private static let requested = Atomic(false)

  static var isRequested: Bool { requested.load(ordering: .relaxed) }

  /// Runs `body`, which asks `isRequested` now and then, and calls `stop`.
  static func catching<T>(_ body: () throws -> T) rethrows -> T {
    var current = sigaction()
    sigaction(SIGTSTP, nil, &current)
    let address = unsafeBitCast(current.__sigaction_handler.sa_handler, to: UInt.self)
    // One that is ignored stays so.
    guard address != unsafeBitCast(SIG_IGN, to: UInt.self) else { return try body() }
    requested.store(false, ordering: .relaxed)
    listen()
    defer { signal(SIGTSTP, SIG_DFL) }
    return try body()
  }

  /// Stops the process, and returns when it goes on.
  static func stop() {
    signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    requested.store(false, ordering: .relaxed)
    listen()
  }

  private static func listen() { signal(SIGTSTP) { _ in Suspension.requested.store(true, ordering: .relaxed) } }
}
