import Synchronization

/// When the audio thread is at the streams: it says so once a block. A filler takes a window only between two turns.
struct ReadingTurns: ~Copyable {
  /// Odd during a turn.
  private let count = Atomic<UInt64>(0)

  /// Audio thread: from here on it reads windows that are open. Of this and a filler's mark, one is before the other: either
  /// the reader sees the mark, or the filler this turn.
  @_noLocks func begin() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// Audio thread: what it knows of windows holds no more.
  @_noLocks func end() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }

  /// A filler: whether a turn is under way.
  var isUnderWay: Bool { !count.load(ordering: .sequentiallyConsistent).isMultiple(of: 2) }
}
