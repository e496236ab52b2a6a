import DAWErrors
import DAWJack
import DAWSequencer

/// The ports that MIDI can be recorded from: JACK's and the ALSA sequencer's.
struct MIDISources {
  private let jack: [String]
  private let sequencer: [SequencerPort]
  private let midi: PlayRequest.MIDI?

  /// - Parameter midi: as the player's request has it: one of the two may be asked for.
  init(_ client: JackClient, midi: PlayRequest.MIDI?) {
    self.midi = midi
    jack = midi == .alsa ? [] : client.midiSources()
    sequencer = midi == .jack || !MIDIOutput.isThere ? [] : (try? SequencerInput.sources()) ?? []
  }

  /// Which of the two has a port; JACK, where both have.
  /// - Returns: `nil` where none has.
  func kind(of source: String) -> ArmedTrack.Kind? {
    if jack.contains(source) { return .jackMIDI }
    return sequencer.contains { $0.isCalled(source) } ? .sequencerMIDI : nil
  }

  /// Where a port is that the user connects, or that comes later: where the player sends MIDI to.
  static func usualKind(midi: PlayRequest.MIDI?) -> ArmedTrack.Kind {
    midi == .alsa || midi == nil && MIDIOutput.isThere ? .sequencerMIDI : .jackMIDI
  }

  /// All of them, as they are written.
  var names: [String] { jack + sequencer.map { $0.name(among: sequencer) } }
}

extension SequencerPort {
  /// As `CLIENT:PORT`, by numbers where another port has the same names.
  func name(among ports: [SequencerPort]) -> String {
    let name = "\(clientName):\(portName)"
    return ports.count { $0.clientName == clientName && $0.portName == portName } > 1 ? "\(address)" : name
  }
}
