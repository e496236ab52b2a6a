import DAWErrors

/// Why the ALSA sequencer cannot be used. Nothing is left behind, no client and no port.
public enum SequencerError: Error, Hashable {
  /// libasound cannot be opened; the dynamic linker's sentence.
  case noLibrary(String)
  /// This machine has no `/dev/snd/seq`.
  case noDevice
  /// The device is there, and this user may not open it.
  case notPermitted
  /// The sequencer has no room for another client: others use all of it.
  case full
  /// No client or port is called so.
  case noPort(String)
  /// The port of that name is there, and nothing can be read from it.
  case noSource(String)
  /// A client has as many ports as it can.
  case tooManyPorts
  /// What was tried, and the library's sentence.
  case failed(String, String)
}

extension SequencerError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noLibrary(let sentence): "The ALSA library cannot be opened: \(sentence)."
    case .noDevice: "This machine has no ALSA sequencer: there is no /dev/snd/seq."
    case .notPermitted: "The ALSA sequencer, /dev/snd/seq, may not be opened by this user."
    case .full: "The ALSA sequencer has no room for another client: other programs use all of it."
    case .noPort(let address): "There is no MIDI port '\(address)' that can be written to."
    case .noSource(let address): "The MIDI port '\(address)' gives nothing back: it cannot be read from."
    case .tooManyPorts: "A client of the ALSA sequencer has \(SequencerClient.mostPorts) ports at most."
    case .failed(let attempt, let sentence): "The ALSA sequencer could not \(attempt): \(sentence)."
    }
  }
}

extension SequencerError: DAWError {
  public var kind: ErrorKind { if case .noPort = self { .noInput } else { .unavailable } }
  public var code: String { if case .noPort = self { "midiPortNotFound" } else { "sequencer" } }
  public var hint: String? {
    switch self {
    case .noLibrary: "Install it: apt install libasound2"
    case .noDevice: "Load it with 'modprobe snd-seq'; in a container, hand /dev/snd in."
    case .notPermitted: "Add yourself to the group 'audio': usermod -aG audio NAME, then log in again."
    case .full: "Close some of the programs that 'aconnect -l' lists."
    case .noPort: "'aconnect -o' lists those that are there."
    case .noSource: "'aconnect -i' lists those that can be read from."
    case .tooManyPorts: "'daw play --midi jack' has a port for each."
    case .failed: "'aconnect -l' shows what is there."
    }
  }
}
