import DAWEngine

/// Readings of a queue's clock, each between two of the host's.
struct QueueReading {
  /// The queue's time, nanoseconds, in the newest reading.
  private(set) var time: Int64 = -1
  /// The host's time when the queue's first had this value.
  private var timeSince: UInt64 = 0

  /// Microseconds without progress after which the queue's clock counts as stopped.
  private static let timeout: Int64 = 3_000_000

  /// - Returns: the host's time before and after the queue's was read, microseconds.
  /// - Throws: `SequencerError.failed`.
  mutating func measure(
    _ queue: SequencerQueue, _ clock: any HostClock
  ) throws(SequencerError) -> (before: UInt64, after: UInt64) {
    let (before, earlier) = (clock.microseconds, time)
    time = try queue.now()
    let after = clock.microseconds
    if time != earlier { timeSince = after }
    guard Int64(bitPattern: after &- timeSince) < Self.timeout else {
      throw .failed("keep time", "its queue stands still")
    }
    return (before, after)
  }
}
