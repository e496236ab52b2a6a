/// The notes, pedals and channels in use on one port: a row of `SoundingTable`. Written by one thread at a time. It may
/// contain notes that never began, but never lacks one that did.
public struct SoundingRow: @unchecked Sendable {
  // Unchecked: the table's memory outlives its rows.
  /// 32 words with a bit for each note; then one with 16 bits for sustain pedals down, 16 for channels with notes, and
  /// 16 for sostenuto pedals down.
  let words: UnsafeMutablePointer<UInt64>

  static var noteWords: Int { @_noLocks get { 32 } }
  static var wordCount: Int { @_noLocks get { noteWords + 1 } }

  @_noLocks private func mark(_ status: UInt8, _ pitch: UInt8) {
    let (channel, note) = (UInt64(status & 0x0f), Int(status & 0x0f) * 128 + Int(pitch & 0x7f))
    words[note / 64] |= 1 << UInt64(note % 64)
    words[Self.noteWords] |= 1 << (16 + channel)
  }

  /// The first bit of a pedal's channels in the last word.
  @_noLocks private static func bit(ofPedal number: UInt8) -> UInt64 { number == MIDIEvent.holdingPedals.0 ? 0 : 32 }

  @_noLocks private func markPedal(_ message: MIDIEvent) {
    words[Self.noteWords] |= 1 << (Self.bit(ofPedal: message.data1) + UInt64(message.status & 0x0f))
  }

  /// Records a message that is about to be sent.
  @_noLocks public func add(_ message: MIDIEvent) {
    if message.beginsNote {
      mark(message.status, message.data1)
    } else if message.movesHoldingPedal, message.data2 >= 64 {
      markPedal(message)
    }
  }

  /// Records a message that has not been sent yet: what it would end still sounds.
  @_noLocks func keep(_ message: MIDIEvent) {
    if message.endsNote {
      mark(message.status, message.data1)
    } else if message.movesHoldingPedal {
      markPedal(message)
    }
  }

  /// Sets the row to a state, all of which has been sent.
  @_noLocks func set(_ state: borrowing ChannelState) {
    for index in 0..<Self.noteWords { words[index] = 0 }
    let pedals = MIDIEvent.holdingPedals
    words[Self.noteWords] =
      UInt64(state.channels(withPedal: pedals.0)) | UInt64(state.channelsUsed) << 16
      | UInt64(state.channels(withPedal: pedals.1)) << 32
    var key = Int(state.following[ChannelState.notes])
    while key != ChannelState.notes {
      let message = state.messages[key]
      mark(UInt8(truncatingIfNeeded: message), UInt8(truncatingIfNeeded: message >> 8))
      key = Int(state.following[key])
    }
  }

  /// Sets the row to a scheduler's notes. Not the audio thread.
  public func set(_ port: borrowing PortScheduler) {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.noteWords) { notes in
      notes.initialize(repeating: 0)
      port.forEachNote { notes[$0 / 64] |= 1 << UInt64($0 % 64) }
      for index in notes.indices { words[index] = notes[index] }
    }
    let channels = port.channels
    words[Self.noteWords] =
      UInt64(channels.withSustain) | UInt64(channels.used) << 16 | UInt64(channels.withSostenuto) << 32
  }

  /// The messages that silence the port's receivers: note-offs, pedals up, all sound off and all notes off. Not the
  /// audio thread.
  public var pendingNoteOffs: [MIDIEvent] {
    var messages: [MIDIEvent] = []
    func add(_ status: Int, _ data1: Int) {
      messages.append(MIDIEvent(frame: 0, status: UInt8(status), data1: UInt8(data1), data2: 0))
    }
    for note in 0..<2_048 where words[note / 64] >> UInt64(note % 64) & 1 == 1 { add(0x80 | note / 128, note % 128) }
    let facts = words[Self.noteWords]
    let pedals = MIDIEvent.holdingPedals
    for number in [pedals.0, pedals.1] {
      let first = Self.bit(ofPedal: number)
      for channel in 0..<16 where facts >> (first + UInt64(channel)) & 1 == 1 { add(0xb0 | channel, Int(number)) }
    }
    for channel in 0..<16 where facts >> UInt64(16 + channel) & 1 == 1 {
      add(0xb0 | channel, 120)
      add(0xb0 | channel, 123)
    }
    return messages
  }
}
