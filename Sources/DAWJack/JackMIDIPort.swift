import CJack
import DAWEngine
import Synchronization

/// A MIDI output of one track: its port, and what its receiver has been told. The state belongs to the audio thread as long
/// as any table that was published has the port.
final class JackMIDIPort: @unchecked Sendable {
  // Unchecked: see above.
  let slot: Int64
  let port: OpaquePointer
  var name: String
  /// In the table of what sounds.
  let row: Int?
  /// Where it is heard, as the table has it.
  var destinations: [String] = []
  let state: UnsafeMutablePointer<JackMIDIState>

  init(slot: Int64, port: OpaquePointer, name: String, row: Int?, in table: SoundingTable?) {
    self.slot = slot
    self.port = port
    self.name = name
    self.row = row
    state = .allocate(capacity: 1)
    state.initialize(to: JackMIDIState(outlet: PortOutlet(slot: slot, row: row.flatMap { table?.row($0) })))
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }
}

/// What the audio thread keeps of a MIDI output from one cycle to the next.
struct JackMIDIState: ~Copyable {
  var outlet: PortOutlet
  /// Whether something has been written into this cycle's buffer already.
  var hasWritten = false
  /// System exclusive messages that are longer than JACK's buffer, and so were not sent. Read by the control thread.
  let lostCount = Atomic(0)
}

/// One MIDI output as the audio thread sees it, with the system exclusive messages of its plan.
struct LinkedMIDIPort {
  var slot: Int64
  var port: OpaquePointer
  var state: UnsafeMutablePointer<JackMIDIState>
  /// All bytes, one message behind the other.
  var exclusiveBytes: UnsafeMutableBufferPointer<UInt8>
  /// Where each message ends.
  var exclusiveEnds: UnsafeMutableBufferPointer<Int>

  /// Control thread.
  init(_ owner: JackMIDIPort, _ planned: PlannedPort?) {
    slot = owner.slot
    port = owner.port
    state = owner.state
    let messages = planned?.systemExclusive ?? []
    exclusiveBytes = .allocate(capacity: messages.lazy.map(\.count).reduce(0, +))
    _ = exclusiveBytes.initialize(from: messages.joined())
    exclusiveEnds = .allocate(capacity: messages.count)
    var end = 0
    for (index, message) in messages.enumerated() {
      end += message.count
      (exclusiveEnds.baseAddress.map { $0 + index })?.initialize(to: end)
    }
  }

  func deallocate() {
    exclusiveBytes.deallocate()
    exclusiveEnds.deallocate()
  }

  /// Audio thread: writes what the port has to send in this cycle, each message on its frame. What there is no room for
  /// comes first in the next cycle.
  /// - Parameters:
  ///   - block: what the transport did in it.
  ///   - planned: what the plan has for it; `nil` where it has nothing, and notes that sound are ended.
  ///   - isLast: the receiver is to be silent for good.
  @_noLocks func write(_ block: PortBlock, _ planned: LinkedPort?, isLast: Bool) {
    guard let buffer = cjack_port_buffer(port, UInt32(truncatingIfNeeded: block.frameCount)) else { return }
    var isEmpty = !state.pointee.hasWritten
    if isEmpty { cjack_midi_clear(buffer) }
    state.pointee.hasWritten = false
    if isLast { state.pointee.outlet.beginSilence() } else { state.pointee.outlet.begin(block, planned) }
    while let event = state.pointee.outlet.next() {
      if put(event, into: buffer) {
        isEmpty = false
      } else if isEmpty, event.message.isSystemExclusive {
        // No buffer will ever hold it.
        state.pointee.lostCount.add(1, ordering: .relaxed)
      } else {
        return state.pointee.outlet.refuse(event)
      }
    }
  }

  /// Audio thread, in the cycle in which another table takes over: writes what this one has kept.
  @_noLocks func leave(frameCount: Int) {
    guard state.pointee.outlet.isBehind,
      let buffer = cjack_port_buffer(port, UInt32(truncatingIfNeeded: frameCount))
    else { return }
    guard let event = state.pointee.outlet.leavePlan() else { return }
    cjack_midi_clear(buffer)
    state.pointee.hasWritten = put(event, into: buffer)
    if !state.pointee.hasWritten { state.pointee.lostCount.add(1, ordering: .relaxed) }
  }

  /// - Returns: false where there is no room for it.
  @_noLocks private func put(_ event: PortEvent, into buffer: UnsafeMutableRawPointer) -> Bool {
    let message = event.message
    let time = UInt32(truncatingIfNeeded: event.offset)
    guard message.isSystemExclusive else {
      return cjack_midi_write_message(buffer, time, message.status, message.data1, message.data2) == 0
    }
    let index = Int(message.bytesIndex)
    guard index < exclusiveEnds.count, let bytes = exclusiveBytes.baseAddress else { return true }
    let start = index == 0 ? 0 : exclusiveEnds[index - 1]
    return cjack_midi_write(buffer, time, bytes + start, UInt(exclusiveEnds[index] - start)) == 0
  }
}
