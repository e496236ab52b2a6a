import CALSA
import Glibc

/// A client of the ALSA sequencer, in non-blocking mode. Used by one thread at a time, never the audio thread.
final class SequencerClient {
  let library: calsa
  let handle: OpaquePointer
  let number: Int32

  /// The most ports that a client can have.
  /// - SeeAlso: `SNDRV_SEQ_MAX_PORTS` in sound/asequencer.h.
  static let maximumPorts = 254

  /// - Parameter library: `nil` opens libasound.
  /// - Throws: `SequencerError`.
  init(name: String, library: calsa? = nil) throws(SequencerError) {
    let library = if let library { library } else { try Self.openLibrary() }
    var opened: OpaquePointer?
    let result = library.snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, SND_SEQ_NONBLOCK)
    guard result >= 0, let opened else {
      switch -result {
      case ENOENT, ENODEV, ENXIO: throw .noDevice
      case EACCES, EPERM: throw .notPermitted
      case ENOMEM, EBUSY, EAGAIN: throw .full
      default: throw .failed("be opened", Self.sentence(library, result))
      }
    }
    self.library = library
    handle = opened
    number = library.snd_seq_client_id(opened)
    _ = library.snd_seq_set_client_name(handle, name)
  }

  deinit { _ = library.snd_seq_close(handle) }

  static func openLibrary() throws(SequencerError) -> calsa {
    var problem: UnsafePointer<CChar>?
    guard let library = calsa_open(&problem)?.pointee else {
      throw .noLibrary(problem.map { String(cString: $0) } ?? "it has no sequencer")
    }
    return library
  }

  /// - Returns: `result`, if it is not an error.
  /// - Throws: `SequencerError.failed`.
  @discardableResult func check(_ result: Int32, _ attempt: String) throws(SequencerError) -> Int32 {
    guard result < 0 else { return result }
    throw .failed(attempt, Self.sentence(library, result))
  }

  private static func sentence(_ library: calsa, _ result: Int32) -> String {
    library.snd_strerror(result).map { String(cString: $0) } ?? "error \(result)"
  }

  // MARK: Ports

  /// Adds a port that other clients can read from.
  func addOutput(_ name: String) throws(SequencerError) -> Int32 {
    try addPort(name, UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ))
  }

  /// Adds a port that other clients can write to.
  /// - Parameter isExported: whether patch bays show it.
  func addInput(_ name: String, isExported: Bool = false) throws(SequencerError) -> Int32 {
    try addPort(
      name,
      UInt32(
        SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE | (isExported ? 0 : SND_SEQ_PORT_CAP_NO_EXPORT)))
  }

  private func addPort(_ name: String, _ capability: UInt32) throws(SequencerError) -> Int32 {
    let type = SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SOFTWARE | SND_SEQ_PORT_TYPE_APPLICATION
    return try check(
      library.snd_seq_create_simple_port(handle, name, capability, UInt32(type)), "make the port '\(name)'")
  }

  func removePort(_ port: Int32) { _ = library.snd_seq_delete_simple_port(handle, port) }

  func renamePort(_ port: Int32, to name: String) {
    var facts: OpaquePointer?
    guard library.snd_seq_port_info_malloc(&facts) >= 0, let facts else { return }
    defer { library.snd_seq_port_info_free(facts) }
    guard library.snd_seq_get_port_info(handle, port, facts) >= 0 else { return }
    library.snd_seq_port_info_set_name(facts, name)
    _ = library.snd_seq_set_port_info(handle, port, facts)
  }

  /// Has the kernel stamp what arrives at a port with a queue's time.
  /// - Throws: `SequencerError.failed`.
  func stampInput(_ port: Int32, by queue: Int32) throws(SequencerError) {
    var facts: OpaquePointer?
    try check(library.snd_seq_port_info_malloc(&facts), "stamp what arrives")
    guard let facts else { throw .failed("stamp what arrives", "no memory") }
    defer { library.snd_seq_port_info_free(facts) }
    try check(library.snd_seq_get_port_info(handle, port, facts), "stamp what arrives")
    library.snd_seq_port_info_set_timestamping(facts, 1)
    library.snd_seq_port_info_set_timestamp_real(facts, 1)
    library.snd_seq_port_info_set_timestamp_queue(facts, queue)
    try check(library.snd_seq_set_port_info(handle, port, facts), "stamp what arrives")
  }

  // MARK: Events

  /// Sends an event to the kernel.
  /// - Returns: false if the pool is full; the event is not sent then.
  /// - Throws: `SequencerError.failed`.
  func send(_ event: inout snd_seq_event_t) throws(SequencerError) -> Bool {
    let result = library.snd_seq_event_output_direct(handle, &event)
    guard result != -EAGAIN, result != -ENOMEM else { return false }
    try check(result, "send an event")
    return true
  }

  /// Sets how much may wait to be read.
  /// - Parameter cells: of the kernel's buffer; at most 2,000. A channel message takes one, a system exclusive message
  ///   one for each 28 bytes or so.
  func setInputSize(_ cells: Int) {
    _ = library.snd_seq_set_client_pool_input(handle, cells)
    // The library's own buffer: an event that did not fit would never be read, nor any behind it.
    _ = library.snd_seq_set_input_buffer_size(handle, 32 * (cells + 1))
  }

  enum Input {
    /// Long data that it refers to is valid until the next call.
    case event(snd_seq_event_t)
    /// The kernel's buffer for the client was full, and what was in it is lost; there may be more.
    case overrun
    case nothing
  }

  /// The next input event.
  /// - Throws: `SequencerError.failed`.
  func readInput() throws(SequencerError) -> Input {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    let result = library.snd_seq_event_input(handle, &event)
    if result == -ENOSPC { return .overrun }
    if result == -EAGAIN || result == -EINTR { return .nothing }
    try check(result, "read what arrives")
    return event.map { .event($0.pointee) } ?? .nothing
  }

  /// The next input event, `nil` if there is none. Overruns are passed over.
  func nextInput() -> snd_seq_event_t? {
    for _ in 0..<10 {
      switch try? readInput() {
      case .event(let event): return event
      case .overrun: continue
      case .nothing, nil: return nil
      }
    }
    return nil
  }

  /// Waits for an input event, at most `milliseconds`.
  func wait(milliseconds: Int32) {
    guard library.snd_seq_event_input_pending(handle, 0) <= 0 else { return }
    var descriptor = pollfd()
    guard library.snd_seq_poll_descriptors(handle, &descriptor, 1, Int16(POLLIN)) == 1 else {
      usleep(UInt32(milliseconds) * 1_000)
      return
    }
    _ = poll(&descriptor, 1, milliseconds)
  }
}
