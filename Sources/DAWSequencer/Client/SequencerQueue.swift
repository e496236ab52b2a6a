import CALSA

/// A queue of the sequencer, which delivers events when its clock reaches their stamps. The clock counts nanoseconds
/// from the queue's start.
struct SequencerQueue {
  private let client: SequencerClient
  let number: Int32

  /// Makes a queue and starts it.
  /// - Throws: `SequencerError.failed`.
  init(of client: SequencerClient, name: String) throws(SequencerError) {
    self.client = client
    let library = client.library
    number = try client.check(library.snd_seq_alloc_named_queue(client.handle, name), "make a queue")
    try client.check(
      library.snd_seq_control_queue(client.handle, number, Int32(SND_SEQ_EVENT_START.rawValue), 0, nil),
      "start its queue")
    // Its result differs between versions of the library.
    _ = library.snd_seq_drain_output(client.handle)
  }

  /// The queue's time, nanoseconds.
  /// - Throws: `SequencerError.failed`.
  func now() throws(SequencerError) -> Int64 {
    let library = client.library
    var status: OpaquePointer?
    try client.check(library.snd_seq_queue_status_malloc(&status), "read its clock")
    guard let status else { throw .failed("read its clock", "no memory") }
    defer { library.snd_seq_queue_status_free(status) }
    try client.check(library.snd_seq_get_queue_status(client.handle, number, status), "read its clock")
    guard let time = library.snd_seq_queue_status_get_real_time(status)?.pointee else { return 0 }
    return snd_seq_timestamp_t(time: time).nanoseconds
  }

  /// Removes events that are due at `stamp` or later, nanoseconds.
  /// - Throws: `SequencerError.failed`.
  func removeEvents(from stamp: Int64) throws(SequencerError) {
    let library = client.library
    var removal: OpaquePointer?
    try client.check(library.snd_seq_remove_events_malloc(&removal), "remove events")
    guard let removal else { throw .failed("remove events", "no memory") }
    defer { library.snd_seq_remove_events_free(removal) }
    library.snd_seq_remove_events_set_queue(removal, number)
    library.snd_seq_remove_events_set_condition(
      removal, UInt32(SND_SEQ_REMOVE_OUTPUT | SND_SEQ_REMOVE_TIME_AFTER))
    var time = snd_seq_timestamp_t(nanoseconds: stamp)
    library.snd_seq_remove_events_set_time(removal, &time)
    try client.check(library.snd_seq_remove_events(client.handle, removal), "remove events")
  }
}

extension snd_seq_timestamp_t {
  /// - Parameter nanoseconds: a queue's time; negative counts as 0.
  init(nanoseconds: Int64) {
    let positive = max(0, nanoseconds)
    self.init(
      time: snd_seq_real_time_t(
        tv_sec: UInt32(truncatingIfNeeded: positive / 1_000_000_000), tv_nsec: UInt32(positive % 1_000_000_000)))
  }

  /// A queue's time.
  var nanoseconds: Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
}
