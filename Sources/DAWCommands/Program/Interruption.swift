import Foundation
import Synchronization

/// The signals that ask the program to end: Ctrl-C, SIGTERM and SIGHUP. Long work is ended tidily: what is half done is
/// removed, what sounds fades out.
enum Interruption {
  static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The signal that asked for the end since `catching` began; 0 where none has.
  private static let caught = Atomic<Int32>(0)
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

  /// Runs `body`, which asks `wasRequested` now and then. A second Ctrl-C or SIGTERM ends the program at once; a second
  /// SIGHUP does not, since the end of a terminal sends several.
  static func catching<T>(_ body: () throws -> T) rethrows -> T {
    // Made now: the handler may not be the first to touch it.
    caught.store(0, ordering: .relaxed)
    handle { signal in
      let (isFirst, _) = Interruption.caught.compareExchange(expected: 0, desired: signal, ordering: .relaxed)
      guard !isFirst, signal != SIGHUP else { return }
      Interruption.lastAct?()
      _exit(128 + signal)
    }
    defer { prepare() }
    return try body()
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
