import CALSA
import DAWEngine

extension snd_seq_event_t {
  /// A message from one of our ports, scheduled on a queue.
  /// - Parameters:
  ///   - stamp: the queue's time, nanoseconds.
  ///   - address: `nil` sends to the port's subscribers.
  init?(
    _ message: MIDIEvent, from port: Int32, on queue: Int32, at stamp: Int64, to address: SequencerAddress? = nil
  ) {
    self.init(message, from: port)
    self.queue = UInt8(truncatingIfNeeded: queue)
    flags |= UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS)
    time = snd_seq_timestamp_t(nanoseconds: stamp)
    dest = snd_seq_addr_t(client: UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS), port: UInt8(SND_SEQ_ADDRESS_UNKNOWN))
    if let address { dest = snd_seq_addr_t(address) }
  }

  /// A message sent at once to one port, connected or not.
  init?(_ message: MIDIEvent, from port: Int32, to address: SequencerAddress) {
    self.init(message, from: port)
    queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    dest = snd_seq_addr_t(address)
  }

  /// `nil` unless it is a channel message.
  private init?(_ message: MIDIEvent, from port: Int32) {
    self.init()
    source.port = UInt8(truncatingIfNeeded: port)
    let channel = message.status & 0x0f
    switch message.status & 0xf0 {
    case 0x80, 0x90, 0xa0:
      let kinds = [SND_SEQ_EVENT_NOTEOFF, SND_SEQ_EVENT_NOTEON, SND_SEQ_EVENT_KEYPRESS]
      type = snd_seq_event_type_t(kinds[Int(message.status >> 4) - 8].rawValue)
      data.note = snd_seq_ev_note_t(
        channel: channel, note: message.data1, velocity: message.data2, off_velocity: 0, duration: 0)
    case 0xb0:
      type = snd_seq_event_type_t(SND_SEQ_EVENT_CONTROLLER.rawValue)
      data.control.channel = channel
      data.control.param = UInt32(message.data1)
      data.control.value = Int32(message.data2)
    case 0xc0, 0xd0:
      let isProgram = message.status & 0xf0 == 0xc0
      type = snd_seq_event_type_t((isProgram ? SND_SEQ_EVENT_PGMCHANGE : SND_SEQ_EVENT_CHANPRESS).rawValue)
      data.control.channel = channel
      data.control.value = Int32(message.data1)
    case 0xe0:
      type = snd_seq_event_type_t(SND_SEQ_EVENT_PITCHBEND.rawValue)
      data.control.channel = channel
      data.control.value = (Int32(message.data2) << 7 | Int32(message.data1)) - 8_192
    default: return nil
    }
  }
}

extension snd_seq_addr_t {
  init(_ address: SequencerAddress) {
    self.init(client: UInt8(truncatingIfNeeded: address.client), port: UInt8(truncatingIfNeeded: address.port))
  }
}

extension SequencerClient {
  /// Sends a system exclusive message, or a part of one; the kernel copies it.
  /// - Parameter bytes: with 0xF0 and 0xF7, if the part has them; few enough to fit the kernel's pool when it is
  ///   empty.
  /// - Returns: false if the pool is full; nothing is sent then.
  /// - Throws: `SequencerError.failed`.
  func send(_ bytes: [UInt8], from port: Int32, on queue: Int32, at stamp: Int64) throws(SequencerError) -> Bool {
    var bytes = bytes
    var result = Result<Bool, SequencerError>.success(false)
    bytes.withUnsafeMutableBytes { memory in
      var event = snd_seq_event_t()
      event.type = snd_seq_event_type_t(SND_SEQ_EVENT_SYSEX.rawValue)
      event.flags = UInt8(SND_SEQ_TIME_STAMP_REAL | SND_SEQ_TIME_MODE_ABS | SND_SEQ_EVENT_LENGTH_VARIABLE)
      event.queue = UInt8(truncatingIfNeeded: queue)
      event.time = snd_seq_timestamp_t(nanoseconds: stamp)
      event.source.port = UInt8(truncatingIfNeeded: port)
      event.dest = snd_seq_addr_t(client: UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS), port: UInt8(SND_SEQ_ADDRESS_UNKNOWN))
      event.data.ext = snd_seq_ev_ext_t(len: UInt32(memory.count), ptr: memory.baseAddress)
      do throws(SequencerError) { result = .success(try send(&event)) } catch { result = .failure(error) }
    }
    return try result.get()
  }
}
