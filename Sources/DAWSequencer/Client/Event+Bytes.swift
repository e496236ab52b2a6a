import CALSA

extension snd_seq_event_t {
  /// The MIDI messages that the event is: one, or a part of a system exclusive message; several for a controller of 14
  /// bits or a parameter; none for clock and the like, and for what is not MIDI. Values that are out of range are cut
  /// to the bits that a message has.
  var messages: [[UInt8]] {
    let channel = data.control.channel & 0x0f
    let (number, value) = (data.control.param, UInt32(bitPattern: data.control.value))
    func seven(_ value: some BinaryInteger) -> UInt8 { UInt8(truncatingIfNeeded: value & 0x7f) }
    func controller(_ number: some BinaryInteger, _ value: some BinaryInteger) -> [UInt8] {
      [0xb0 | channel, seven(number), seven(value)]
    }
    func parameter(_ high: UInt8, _ low: UInt8) -> [[UInt8]] {
      [
        controller(high, number >> 7), controller(low, number), controller(UInt8(6), value >> 7),
        controller(UInt8(38), value),
      ]
    }
    func note(_ status: UInt8) -> [[UInt8]] {
      [[status | data.note.channel & 0x0f, seven(data.note.note), seven(data.note.velocity)]]
    }
    switch snd_seq_event_type(rawValue: UInt32(type)) {
    case SND_SEQ_EVENT_NOTEOFF: return note(0x80)
    case SND_SEQ_EVENT_NOTEON: return note(0x90)
    case SND_SEQ_EVENT_KEYPRESS: return note(0xa0)
    case SND_SEQ_EVENT_CONTROLLER: return [controller(number, value)]
    case SND_SEQ_EVENT_CONTROL14:
      // Only controllers 0 … 31 have another one for the lower bits.
      guard number < 32 else { return [controller(number, value)] }
      return [controller(number, value >> 7), controller(number + 32, value)]
    case SND_SEQ_EVENT_NONREGPARAM: return parameter(99, 98)
    case SND_SEQ_EVENT_REGPARAM: return parameter(101, 100)
    case SND_SEQ_EVENT_PGMCHANGE: return [[0xc0 | channel, seven(value)]]
    case SND_SEQ_EVENT_CHANPRESS: return [[0xd0 | channel, seven(value)]]
    case SND_SEQ_EVENT_PITCHBEND:
      let bend = UInt32(min(max(data.control.value, -8_192), 8_191) + 8_192)
      return [[0xe0 | channel, seven(bend), seven(bend >> 7)]]
    case SND_SEQ_EVENT_SYSEX:
      guard let memory = data.ext.ptr, data.ext.len > 0 else { return [] }
      return [[UInt8](UnsafeRawBufferPointer(start: memory, count: Int(data.ext.len)))]
    default: return []
    }
  }
}
