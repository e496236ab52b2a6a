import CJack
import DAWEngine

/// A MIDI output of one track: its port, and what its receiver has been told. The cursor belongs to the audio thread as long
/// as any table that was published has the port.
final class JackMIDIPort: @unchecked Sendable {
  // Unchecked: see above.
  let slot: Int64
  let port: OpaquePointer
  var name: String
  let cursor: UnsafeMutablePointer<PortCursor>

  init(slot: Int64, port: OpaquePointer, name: String) {
    self.slot = slot
    self.port = port
    self.name = name
    cursor = .allocate(capacity: 1)
    cursor.initialize(to: PortCursor(slot: slot))
  }

  deinit {
    cursor.deinitialize(count: 1)
    cursor.deallocate()
  }
}

/// One MIDI output as the audio thread sees it, with the system exclusive messages of its plan.
struct LinkedMIDIPort {
  var slot: Int64
  var port: OpaquePointer
  var cursor: UnsafeMutablePointer<PortCursor>
  /// All bytes, one message behind the other.
  var exclusiveBytes: UnsafeMutableBufferPointer<UInt8>
  /// Where each message ends.
  var exclusiveEnds: UnsafeMutableBufferPointer<Int>

  /// Control thread.
  init(_ owner: JackMIDIPort, _ planned: PlannedPort?) {
    slot = owner.slot
    port = owner.port
    cursor = owner.cursor
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

  /// Audio thread: writes what the port has to send in this cycle, each message on its frame.
  /// - Parameters:
  ///   - block: what the transport did in it.
  ///   - planned: what the plan has for it; `nil` where it has nothing, and notes that sound are ended.
  ///   - isLast: the receiver is to be silent for good.
  @_noLocks func write(_ block: PortBlock, _ planned: LinkedPort?, isLast: Bool) {
    guard let buffer = cjack_port_buffer(port, UInt32(truncatingIfNeeded: block.frameCount)) else { return }
    cjack_midi_clear(buffer)
    if isLast { cursor.pointee.beginSilence() } else { cursor.pointee.begin(block, planned) }
    while let event = cursor.pointee.next() {
      let message = event.message
      let time = UInt32(truncatingIfNeeded: event.offset)
      if !message.isSystemExclusive {
        _ = cjack_midi_write_message(buffer, time, message.status, message.data1, message.data2)
      } else if Int(message.bytesIndex) < exclusiveEnds.count, let bytes = exclusiveBytes.baseAddress {
        let index = Int(message.bytesIndex)
        let start = index == 0 ? 0 : exclusiveEnds[index - 1]
        _ = cjack_midi_write(buffer, time, bytes + start, UInt(exclusiveEnds[index] - start))
      }
    }
  }
}
