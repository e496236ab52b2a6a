import Foundation
import Synchronization

/// The signals that ask the program to end: Ctrl-C, SIGTERM and SIGHUP. Long work is ended tidily: what is half done is
/// removed, what sounds fades out.
enum Interruption {
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The signal that asked for the end since `catching` began; 0 where none has.
  private static let caught = Atomic<Int32>(0)
  /// When that was, in milliseconds of the monotonic clock; 0 where it is not known yet.
  private static let caughtTime = Atomic<Int64>(0)
  /// What has to be put right before a second signal ends the program at once. Called by a signal handler, under its
  /// rules; set while `catching` does not run, or by its `body`.
  nonisolated(unsafe) static var lastAct: (@convention(c) () -> Void)?

  /// Whether a signal asked for the end since `catching` began.
  static var wasRequested: Bool { caught.load(ordering: .relaxed) != 0 }

  /// What the program ends with when a signal has ended its work: 128 and the signal's number.
  static var exitStatus: Int32 {
    let signal = caught.load(ordering: .relaxed)
    return 128 + (signal == 0 ? SIGINT : signal)
  }

  /// Before anything else: each of the signals ends the program at once. Nothing needs to be tidied: what was committed
  /// stays, and what was not is rolled back by the next to open the file.
  static func prepare() { handle { signal in _exit(128 + signal) } }

  /// Milliseconds after the first signal in which another one is taken for the same: `timeout` sends one to the program,
  /// and one to its group.
  private static let patience: Int64 = 300

  /// Runs `body`, which asks `wasRequested` now and then. A second Ctrl-C or SIGTERM, a moment later, ends the program at
  /// once; a second SIGHUP does not, since the end of a terminal sends several.
  static func catching<T>(_ body: () throws -> T) rethrows -> T {
    // Made now: the handler may not be the first to touch it.
    caught.store(0, ordering: .relaxed)
    caughtTime.store(0, ordering: .relaxed)
    handle { signal in
      let now = Interruption.milliseconds()
      let (isFirst, _) = Interruption.caught.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
      guard !isFirst else { return Interruption.caughtTime.store(now, ordering: .relaxed) }
      let first = Interruption.caughtTime.load(ordering: .relaxed)
      guard signal != SIGHUP, first > 0, now - first > Interruption.patience else { return }
      Interruption.lastAct?()
      _exit(128 + signal)
    }
    defer { prepare() }
    return try body()
  }

  private static func milliseconds() -> Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }

  /// Installs a handler for each of the signals, but for one that is ignored: `nohup` and shells have it so on purpose.
  private static func handle(_ handler: @escaping @convention(c) (Int32) -> Void) {
    for number in signals {
      var current = sigaction()
      guard sigaction(number, nil, &current) == 0 else { continue }
      let address = unsafeBitCast(current.__sigaction_handler.sa_handler, to: UInt.self)
      if address != unsafeBitCast(SIG_IGN, to: UInt.self) { signal(number, handler) }
    }
  }
}
