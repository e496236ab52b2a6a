import DAWEngine

/// Silences MIDI ports on the user's request, when the program that played them is gone.
public enum Panic {
  /// Sends all sound off, sustain and sostenuto pedals up and all notes off on every channel; then, optionally, a
  /// note-off for every note.
  /// - Parameters:
  ///   - names: `CLIENT:PORT` each; empty for all ports.
  ///   - sendsEveryNote: whether to send note-offs for every note; takes about 2 s over a MIDI cable.
  /// - Returns: the ports silenced.
  /// - Throws: `SequencerError`; nothing was sent.
  public static func silence(
    _ names: [String], sendsEveryNote: Bool
  ) throws(SequencerError) -> [SequencerPort] {
    let client = try SequencerClient(name: "daw panic")
    let port = try client.addOutput("silence")
    let all = client.ports(.output)
    var destinations = all
    if !names.isEmpty {
      destinations = []
      for name in names {
        guard let found = all.first(where: { $0.isCalled(name) }) else { throw .noPort(name) }
        destinations.append(found)
      }
    }
    let messages = Self.messages(sendsEveryNote: sendsEveryNote)
    for destination in destinations { client.sendAtOnce(messages, from: port, to: destination.address) }
    return destinations
  }

  /// Controllers first: most receivers are silent after them.
  static func messages(sendsEveryNote: Bool) -> [MIDIEvent] {
    let channels = UInt8(0)..<16
    var messages = channels.flatMap { channel in
      [120, 64, 66, 123].map { MIDIEvent(frame: 0, status: 0xb0 | channel, data1: $0, data2: 0) }
    }
    guard sendsEveryNote else { return messages }
    for channel in channels {
      for pitch in UInt8(0)..<128 {
        messages.append(MIDIEvent(frame: 0, status: 0x80 | channel, data1: pitch, data2: 0))
      }
    }
    return messages
  }
}
