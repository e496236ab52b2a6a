import DAWEngine

/// Silences ports by hand, when whoever made them sound is gone.
public enum Panic {
  /// Tells ports, on every channel: all sound off, sustain up, all notes off; and then every note's end.
  /// - Parameters:
  ///   - names: `CLIENT:PORT` each; none means all that there are.
  ///   - sendsEveryNote: about 2 s over a MIDI cable.
  /// - Returns: the ports.
  /// - Throws: `SequencerError`; nothing was sent.
  public static func silence(
    _ names: [String], sendsEveryNote: Bool
  ) throws(SequencerError) -> [SequencerDestination] {
    let client = try SequencerClient(name: "daw panic")
    let port = try client.addOutput("silence")
    let all = client.destinations()
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

  /// Controllers first: who heeds them is silent at once.
  static func messages(sendsEveryNote: Bool) -> [MIDIEvent] {
    let channels = UInt8(0)..<16
    var messages = channels.flatMap { channel in
      [120, 64, 123].map { MIDIEvent(frame: 0, status: 0xb0 | channel, data1: $0, data2: 0) }
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
