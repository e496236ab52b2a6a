import CJack
import DAWEngine
import Synchronization

/// A MIDI output of a track: its port, and its receiver's state, which the audio thread owns as long as a published
/// table has the port.
final class JackMIDIPort: @unchecked Sendable {
  // Unchecked: the state is used by one thread at a time.
  let trackID: Int64
  let port: OpaquePointer
  var name: String
  /// Its row in the `SoundingTable`.
  let row: Int?
  /// Its connections, as last written to the table.
  var destinations: [String] = []
  let state: UnsafeMutablePointer<JackMIDIState>

  init(trackID: Int64, port: OpaquePointer, name: String, row: Int?, in table: SoundingTable?) {
    self.trackID = trackID
    self.port = port
    self.name = name
    self.row = row
    state = .allocate(capacity: 1)
    state.initialize(to: JackMIDIState(outlet: PortOutlet(trackID: trackID, row: row.flatMap { table?.row($0) })))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }
}

/// The audio thread's state of a MIDI output.
struct JackMIDIState: ~Copyable {
  var outlet: PortOutlet
  /// Whether this cycle's buffer has been cleared and written to.
  var hasWritten = false
  /// The number of system exclusive messages that were longer than JACK's buffer and so not sent. Read by the control
  /// thread.
  let lostCount = Atomic(0)
  /// The input port whose messages are passed on; `nil` for none. Set by the control thread.
  let monitored = Atomic<UnsafeMutableRawPointer?>(nil)
  /// The one of the last cycle.
  var lastMonitored: UnsafeMutableRawPointer?
}

/// A walk through the messages of an input port in one cycle. Audio thread.
private struct MonitoredMIDI {
  private var buffer: UnsafeMutableRawPointer?
  private var index: UInt32 = 0
  private var count: UInt32 = 0
  private var frameCount = 0
  /// The next message, and its frame in the cycle; `nil` at the end.
  private(set) var bytes: UnsafePointer<UInt8>?
  private(set) var byteCount: UInt = 0
  private(set) var offset = 0

  /// No messages.
  @_noLocks init() {}

  @_noLocks init(_ buffer: UnsafeMutableRawPointer, frameCount: Int) {
    self.buffer = buffer
    self.frameCount = frameCount
    count = cjack_midi_event_count(buffer)
    read()
  }

  var isOver: Bool { @_noLocks get { bytes == nil } }

  /// Whether there is another message before a frame of the cycle.
  @_noLocks func isNext(before frame: Int) -> Bool {
    guard bytes != nil else { return false }
    return offset < frame
  }

  @_noLocks mutating func advance() {
    index += 1
    read()
  }

  @_noLocks mutating func end() { bytes = nil }

  @_noLocks private mutating func read() {
    bytes = nil
    guard let buffer else { return }
    while index < count {
      var time: UInt32 = 0
      if let found = cjack_midi_event(buffer, index, &time, &byteCount), byteCount > 0 {
        bytes = found
        offset = Int(time) < frameCount ? Int(time) : frameCount - 1
        return
      }
      index += 1
    }
  }
}

/// A MIDI output in memory for the audio thread, with its part of a plan.
struct LinkedMIDIPort {
  private let port: OpaquePointer
  private let state: UnsafeMutablePointer<JackMIDIState>
  /// `nil` if the plan has none, and sounding notes are ended.
  private let planned: LinkedPort?

  /// Control thread.
  init(_ owner: JackMIDIPort, _ planned: LinkedPort?) {
    port = owner.port
    state = owner.state
    self.planned = planned
  }

  /// Audio thread: writes the port's messages of this cycle, each at its frame. Those for which there is no room come
  /// first in the next cycle.
  /// - Parameters:
  ///   - block: the transport in this cycle.
  ///   - first: the frame of the cycle at which the block begins; it lasts to the cycle's end.
  ///   - isLast: whether to send the final silence.
  ///   - budget: the work left for all ports in this cycle, as for `PortCursor.next`.
  @_noLocks func write(_ block: PortBlock, from first: Int, isLast: Bool, budget: inout Int) {
    let frameCount = first + block.frameCount
    guard let buffer = cjack_port_buffer(port, UInt32(truncatingIfNeeded: frameCount)) else { return }
    var isEmpty = !state.pointee.hasWritten
    if isEmpty { cjack_midi_clear(buffer) }
    state.pointee.hasWritten = false
    var monitored = monitored(frameCount, isLast: isLast)
    if isLast { state.pointee.outlet.beginSilence() } else { state.pointee.outlet.begin(block, planned) }
    while var event = state.pointee.outlet.next(&budget) {
      event.offset += first
      if monitored.isNext(before: event.offset) {
        isEmpty = false
        pass(&monitored, before: event.offset, into: buffer)
        // The outlet has counted the event as sent already; in fact it comes behind these.
        state.pointee.outlet.pass(event.message)
      }
      if put(event, into: buffer) {
        isEmpty = false
      } else if isEmpty, event.message.isSystemExclusive {
        // It does not even fit an empty buffer.
        state.pointee.lostCount.add(1, ordering: .relaxed)
      } else {
        state.pointee.outlet.refuse(event)
        if !monitored.isOver { state.pointee.outlet.endPassing() }
        return
      }
    }
    pass(&monitored, before: frameCount, into: buffer)
  }

  // MARK: Monitoring

  /// The messages of the monitored input in this cycle.
  @_noLocks private func monitored(_ frameCount: Int, isLast: Bool) -> MonitoredMIDI {
    let port = isLast ? nil : state.pointee.monitored.load(ordering: .acquiring)
    if let last = state.pointee.lastMonitored, last != port { state.pointee.outlet.endPassing() }
    state.pointee.lastMonitored = port
    guard let port, let buffer = cjack_port_buffer(OpaquePointer(port), UInt32(truncatingIfNeeded: frameCount)) else {
      return MonitoredMIDI()
    }
    return MonitoredMIDI(buffer, frameCount: frameCount)
  }

  /// Passes on what arrived before a frame of this cycle. Where there is no room for it, the rest of the cycle's is
  /// left out, and its notes are ended in the next cycle.
  @_noLocks private func pass(
    _ monitored: inout MonitoredMIDI, before offset: Int, into buffer: UnsafeMutableRawPointer
  ) {
    while monitored.isNext(before: offset) {
      guard let bytes = monitored.bytes else { return }
      if monitored.byteCount == 2 || monitored.byteCount == 3 {
        let second = monitored.byteCount > 2 ? bytes[2] & 0x7f : 0
        state.pointee.outlet.pass(MIDIEvent(frame: 0, status: bytes[0], data1: bytes[1] & 0x7f, data2: second))
      }
      guard cjack_midi_write(buffer, UInt32(truncatingIfNeeded: monitored.offset), bytes, monitored.byteCount) == 0
      else {
        state.pointee.outlet.endPassing()
        return monitored.end()
      }
      monitored.advance()
    }
  }

  /// Audio thread, in the cycle in which another table replaces this one: writes a message that was refused.
  @_noLocks func finish(frameCount: Int) {
    guard state.pointee.outlet.isBehind,
      let buffer = cjack_port_buffer(port, UInt32(truncatingIfNeeded: frameCount))
    else { return }
    guard let event = state.pointee.outlet.leavePlan() else { return }
    cjack_midi_clear(buffer)
    state.pointee.hasWritten = put(event, into: buffer)
    if !state.pointee.hasWritten { state.pointee.lostCount.add(1, ordering: .relaxed) }
  }

  /// - Returns: false if there is no room for it.
  @_noLocks private func put(_ event: PortEvent, into buffer: UnsafeMutableRawPointer) -> Bool {
    let message = event.message
    let time = UInt32(truncatingIfNeeded: event.offset)
    guard message.isSystemExclusive else {
      return cjack_midi_write_message(buffer, time, message.status, message.data1, message.data2) == 0
    }
    guard let bytes = planned?.exclusive(Int(message.bytesIndex)), let first = bytes.baseAddress else { return true }
    return cjack_midi_write(buffer, time, first, UInt(bytes.count)) == 0
  }
}
