import Foundation

extension Process {
  private static let starting = NSLock()

  /// Runs it as `run` does, whatever other threads of this program do meanwhile.
  ///
  /// One start at a time: Foundation learns of a process's end by a socket whose other end the process has. What is started
  /// beside it at the same moment may inherit that end too, and then both seem to run until the longer one is over. And
  /// Foundation lists the open descriptors first, which fails with EBADF where somebody closes one meanwhile; then it is
  /// tried again.
  ///
  /// It takes signals as a program does that is typed on a terminal, however these tests were started.
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
