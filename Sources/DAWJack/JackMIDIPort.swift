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
  ///   - isLast: whether to send the final silence.
  ///   - budget: the work left for all ports in this cycle, as for `PortCursor.next`.
  @_noLocks func write(_ block: PortBlock, isLast: Bool, budget: inout Int) {
    guard let buffer = cjack_port_buffer(port, UInt32(truncatingIfNeeded: block.frameCount)) else { return }
    var isEmpty = !state.pointee.hasWritten
    if isEmpty { cjack_midi_clear(buffer) }
    state.pointee.hasWritten = false
    if isLast { state.pointee.outlet.beginSilence() } else { state.pointee.outlet.begin(block, planned) }
    while let event = state.pointee.outlet.next(&budget) {
      if put(event, into: buffer) {
        isEmpty = false
      } else if isEmpty, event.message.isSystemExclusive {
        // It does not even fit an empty buffer.
        state.pointee.lostCount.add(1, ordering: .relaxed)
      } else {
        return state.pointee.outlet.refuse(event)
      }
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
