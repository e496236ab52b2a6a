import Foundation
import Synchronization

/// Ctrl-C and SIGTERM during long work, which ends it tidily: what is half done is removed.
enum Interruption {
  private static let isRequested = Atomic(false)
  /// What has to be put right before a second signal ends the program at once. Called by a signal handler, under its rules;
  /// set while `catching` does not run, or by its `body`.
  nonisolated(unsafe) static var lastAct: (@convention(c) () -> Void)?

  /// Whether somebody asked for the end since `catching` began.
  static var wasRequested: Bool { isRequested.load(ordering: .relaxed) }

  /// Runs `body`, which asks `wasRequested` now and then. A second signal ends the program at once.
  static func catching<T>(_ body: () throws -> T) rethrows -> T {
    // Made now: the handler may not be the first to touch it.
    isRequested.store(false, ordering: .relaxed)
    let handler: @convention(c) (Int32) -> Void = { _ in
      guard Interruption.isRequested.exchange(true, ordering: .relaxed) else { return }
      Interruption.lastAct?()
      _exit(130)
    }
    let earlier = [SIGINT, SIGTERM].map { ($0, signal($0, handler)) }
    defer { for (number, handler) in earlier { _ = signal(number, handler) } }
    return try body()
  }
}
