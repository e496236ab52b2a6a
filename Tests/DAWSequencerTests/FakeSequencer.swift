import CALSA
import DAWEngine
import Glibc
import Synchronization

@testable import DAWSequencer

/// A libasound with a fake sequencer behind it: each port is connected to a port of client 100 with the same number,
/// and a test chooses which calls fail. One at a time.
enum FakeSequencer {
  struct Sent: Equatable {
    var port: Int32
    var destination: SequencerAddress
    var type: UInt32
    var channel: UInt8
    var note: UInt8
  }

  /// An event that arrives, or an error of the call that reads it.
  struct Incoming {
    var result: Int32 = 0
    var port: Int32 = 1
    /// The client that sends it.
    var source: UInt8 = 100
    /// A channel message, or a part of a system exclusive one.
    var bytes: [UInt8] = []
    /// The queue's time, nanoseconds; `nil`: without a stamp.
    var stamp: Int64?
  }

  struct State {
    /// The names of ports, in the order in which they were added.
    var ports: [Int32: String] = [:]
    var sent: [Sent] = []
    /// Ports that refuse events, and names of ports that cannot be added.
    var failingPorts: Set<Int32> = []
    var failingNames: Set<String> = []
    var incoming: [Incoming] = []
    /// How many ports were given a setting, such as a queue that stamps what arrives.
    var settingCount = 0
    /// What ports were connected to, to receive from it, by port.
    var senders: [Int32: [SequencerAddress]] = [:]
    var begin = now()
  }

  static let state = Mutex(State())
  private nonisolated(unsafe) static let time = UnsafeMutablePointer<snd_seq_real_time_t>.allocate(capacity: 1)
  private nonisolated(unsafe) static let subscriber = UnsafeMutablePointer<snd_seq_addr_t>.allocate(capacity: 1)
  private nonisolated(unsafe) static let event = UnsafeMutablePointer<snd_seq_event_t>.allocate(capacity: 1)
  private nonisolated(unsafe) static let eventBytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 4_096)
  private nonisolated(unsafe) static var root: UInt8 = 0
  private nonisolated(unsafe) static var index: Int32 = 0

  static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Removes all ports.
  static func library(failingPorts: Set<Int32> = [], failingNames: Set<String> = []) throws -> calsa {
    state.withLock { $0 = State(failingPorts: failingPorts, failingNames: failingNames) }
    var library = try SequencerClient.openLibrary()
    setClient(&library)
    setPorts(&library)
    setQueue(&library)
    return library
  }

  private static func setClient(_ library: inout calsa) {
    library.snd_seq_open = { handle, _, _, _ in
      handle?.pointee = OpaquePointer(bitPattern: 8)
      return 0
    }
    library.snd_seq_close = { _ in 0 }
    library.snd_seq_client_id = { _ in 99 }
    library.snd_seq_set_client_name = { _, _ in 0 }
    library.snd_seq_set_client_pool_output = { _, _ in 0 }
    library.snd_seq_set_client_pool_input = { _, _ in 0 }
    library.snd_seq_set_input_buffer_size = { _, _ in 0 }
    library.snd_seq_poll_descriptors = { _, _, _, _ in 0 }
    library.snd_seq_query_next_client = { _, _ in -ENOENT }
    library.snd_seq_event_input = { _, target in
      let next = FakeSequencer.state.withLock { $0.incoming.isEmpty ? nil : $0.incoming.removeFirst() }
      guard let next else { return -EAGAIN }
      guard next.result >= 0 else { return next.result }
      FakeSequencer.receive(next)
      target?.pointee = FakeSequencer.event
      return 28
    }
    library.snd_seq_event_input_pending = { _, _ in 0 }
  }

  private static func receive(_ next: Incoming) {
    var received = snd_seq_event_t()
    if let status = next.bytes.first, 0x80..<0xf0 ~= status {
      let message = MIDIEvent(
        frame: 0, status: status, data1: next.bytes[1], data2: next.bytes.count > 2 ? next.bytes[2] : 0)
      received = snd_seq_event_t(message, from: 0, on: 1, at: next.stamp ?? 0) ?? received
    } else {
      eventBytes.update(from: next.bytes, count: next.bytes.count)
      received.type = snd_seq_event_type_t(SND_SEQ_EVENT_SYSEX.rawValue)
      received.queue = 1
      received.time = snd_seq_timestamp_t(nanoseconds: next.stamp ?? 0)
      received.flags = UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_EVENT_LENGTH_VARIABLE)
      received.data.ext = snd_seq_ev_ext_t(len: UInt32(next.bytes.count), ptr: UnsafeMutableRawPointer(eventBytes))
    }
    if next.stamp == nil {
      received.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
      received.flags &= ~UInt8(SND_SEQ_TIME_STAMP_REAL)
    }
    received.source.client = next.source
    received.dest.port = UInt8(next.port)
    event.initialize(to: received)
  }

  private static func setPorts(_ library: inout calsa) {
    library.snd_seq_create_simple_port = { _, name, _, _ in
      let name = name.map { String(cString: $0) } ?? ""
      return FakeSequencer.state.withLock { state in
        guard !state.failingNames.contains(name) else { return -EINVAL }
        guard state.ports.count < 254 else { return -ENOMEM }
        let number = (Int32(0)...253).first { state.ports[$0] == nil } ?? 0
        state.ports[number] = name
        return number
      }
    }
    library.snd_seq_delete_simple_port = { _, port in
      FakeSequencer.state.withLock { $0.ports[port] = nil }
      return 0
    }
    library.snd_seq_get_port_info = { _, _, _ in 0 }
    library.snd_seq_set_port_info = { _, _, _ in
      FakeSequencer.state.withLock { $0.settingCount += 1 }
      return 0
    }
    library.snd_seq_connect_to = { _, _, _, _ in 0 }
    library.snd_seq_connect_from = { _, port, client, number in
      FakeSequencer.state.withLock {
        $0.senders[port, default: []].append(SequencerAddress(client: client, port: number))
      }
      return 0
    }
    library.snd_seq_disconnect_to = { _, _, _, _ in 0 }
    library.snd_seq_query_subscribe_set_root = { _, address in FakeSequencer.root = address?.pointee.port ?? 0 }
    library.snd_seq_query_subscribe_set_index = { _, index in FakeSequencer.index = index }
    library.snd_seq_query_port_subscribers = { _, _ in FakeSequencer.index == 0 ? 0 : -ENOENT }
    library.snd_seq_query_subscribe_get_addr = { _ in
      FakeSequencer.subscriber.initialize(to: snd_seq_addr_t(client: 100, port: FakeSequencer.root))
      return UnsafePointer(FakeSequencer.subscriber)
    }
    library.snd_seq_event_output_direct = { _, event in
      guard let event = event?.pointee else { return -EINVAL }
      return FakeSequencer.state.withLock { state in
        let port = Int32(event.source.port)
        guard !state.failingPorts.contains(port) else { return -EINVAL }
        state.sent.append(
          Sent(
            port: port,
            destination: SequencerAddress(client: Int32(event.dest.client), port: Int32(event.dest.port)),
            type: UInt32(event.type), channel: event.data.note.channel, note: event.data.note.note))
        return 28
      }
    }
  }

  private static func setQueue(_ library: inout calsa) {
    library.snd_seq_alloc_named_queue = { _, _ in 1 }
    library.snd_seq_control_queue = { _, _, _, _, _ in 0 }
    library.snd_seq_drain_output = { _ in 0 }
    library.snd_seq_remove_events = { _, _ in 0 }
    library.snd_seq_get_queue_status = { _, _, _ in 0 }
    library.snd_seq_queue_status_get_real_time = { _ in
      let elapsed = FakeSequencer.now() - FakeSequencer.state.withLock { $0.begin }
      FakeSequencer.time.initialize(
        to: snd_seq_real_time_t(tv_sec: UInt32(elapsed / 1_000_000_000), tv_nsec: UInt32(elapsed % 1_000_000_000)))
      return UnsafePointer(FakeSequencer.time)
    }
  }

  /// Of the messages so far.
  static func notes(_ type: snd_seq_event_type) -> [Sent] {
    state.withLock { $0.sent.filter { $0.type == type.rawValue } }
  }

  /// Waits until a condition holds, at most a minute.
  static func wait(for condition: () -> Bool) -> Bool {
    for _ in 0..<6_000 where !condition() { usleep(10_000) }
    return condition()
  }
}
