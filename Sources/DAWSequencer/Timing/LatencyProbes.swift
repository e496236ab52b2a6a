import CALSA

/// Measures the queue's delays with probe events that it delivers to us; each carries the time when it is due.
struct LatencyProbes {
  private var next: UInt64 = 0
  private var delays = Percentiles(capacity: 200)

  /// Microseconds between probes, and from sending a probe until it is due.
  private static let period: UInt64 = 100_000
  private static let lead: UInt64 = 20_000

  /// - Returns: when the next probe is to be due, if it is time to send one; host's time, microseconds.
  mutating func due(at now: UInt64) -> UInt64? {
    guard now >= next else { return nil }
    next = now + Self.period
    return now + Self.lead
  }

  func event(
    due: UInt64, to client: Int32, _ port: Int32, on queue: Int32, at stamp: Int64
  ) -> snd_seq_event_t {
    var event = snd_seq_event_t()
    event.type = snd_seq_event_type_t(SND_SEQ_EVENT_USR0.rawValue)
    event.flags = UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
    event.queue = UInt8(truncatingIfNeeded: queue)
    event.time = snd_seq_timestamp_t(nanoseconds: stamp)
    event.source.port = UInt8(truncatingIfNeeded: port)
    event.dest = snd_seq_addr_t(client: UInt8(truncatingIfNeeded: client), port: UInt8(truncatingIfNeeded: port))
    event.data.raw32.d = (UInt32(truncatingIfNeeded: due), UInt32(truncatingIfNeeded: due >> 32), 0)
    return event
  }

  /// Handles an input event.
  /// - Returns: whether the event is a probe.
  mutating func take(_ event: snd_seq_event_t, at now: UInt64) -> Bool {
    guard event.type == snd_seq_event_type_t(SND_SEQ_EVENT_USR0.rawValue) else { return false }
    let due = UInt64(event.data.raw32.d.0) | UInt64(event.data.raw32.d.1) << 32
    delays.add(Double(Int64(bitPattern: now &- due)))
    return true
  }

  /// The median delay, microseconds.
  var offset: Double? { delays.value(at: 0.5) }
  /// The 95th minus the 5th percentile of delays, microseconds.
  var jitter: Double? {
    guard let low = delays.value(at: 0.05), let high = delays.value(at: 0.95) else { return nil }
    return high - low
  }
}
