import Foundation

extension Process {
  private static let starting = NSLock()

  /// Starts the process like `run`, but safely while other threads start processes.
  ///
  /// Starts are serialized: Foundation detects a process's end by a socket whose other end the process inherits. A
  /// process started at the same moment may inherit it as well, and then both seem to run until the longer one ends.
  /// Foundation also lists the open descriptors, which fails with EBADF if another thread closes one meanwhile; then
  /// the start is repeated.
  ///
  /// The process has the default signal handling, however these tests were started.
  /// - Throws: what `run` throws.
  public func start() throws {
    try Self.starting.withLock {
      let earlier = [SIGINT, SIGTERM, SIGHUP].map { ($0, signal($0, SIG_DFL)) }
      defer { for (number, handler) in earlier { _ = signal(number, handler) } }
      for _ in 0..<20 {
        do { return try run() } catch let error as NSError where error.code == Int(EBADF) { usleep(1_000) }
      }
      try run()
    }
  }
}
