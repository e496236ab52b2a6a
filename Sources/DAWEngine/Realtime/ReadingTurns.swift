import Glibc
import Synchronization

/// When the audio thread is at the streams. It says so once a block, and a filler that has marked a window waits here for
/// the end of the turn that was under way, which may not have seen the mark; every later one sees it.
struct ReadingTurns: ~Copyable {
  /// Odd during a turn.
  private let count = Atomic<UInt64>(0)

  /// Audio thread: from here on it reads windows that are open. Of this and a filler's mark, one is before the other: either
  /// the reader sees the mark, or the filler this turn.
  @_noLocks func begin() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Audio thread: what it knows of windows holds no more.
  @_noLocks func end() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// A filler: waits until no turn is under way that was when this was called. A turn takes as long as a block, some
  /// microseconds to some milliseconds.
  /// - Returns: false where it has not come to its end within about 0.1 s.
  func waitForEnd() -> Bool {
    let now = count.load(ordering: .sequentiallyConsistent)
    guard !now.isMultiple(of: 2) else { return true }
    for attempt in 0..<1_500 {
      if attempt >= 100 { usleep(10) }
      if count.load(ordering: .acquiring) != now { return true }
    }
    return false
  }
}
