import DAWErrors

/// Why the ALSA sequencer cannot be used. No client or port is left behind.
public enum SequencerError: Error, Hashable {
  /// libasound cannot be opened; the dynamic linker's message.
  case noLibrary(String)
  /// This machine has no `/dev/snd/seq`.
  case noDevice
  /// The user may not open the device.
  case notPermitted
  /// The sequencer has no room for another client.
  case full
  /// There is no client or port of this name.
  case noPort(String)
  /// The port of this name cannot be read from.
  case noSource(String)
  /// The client has the most ports that it can have.
  case tooManyPorts
  /// What was tried, and the library's message.
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
    case .noSource(let address): "The MIDI port '\(address)' cannot be read from, so it returns nothing."
    case .tooManyPorts: "A client of the ALSA sequencer has \(SequencerClient.maximumPorts) ports at most."
    case .failed(let attempt, let sentence): "The ALSA sequencer could not \(attempt): \(sentence)."
    }
  }
}

extension SequencerError: DAWError {
  public var kind: ErrorKind { if case .noPort = self { .noInput } else { .unavailable } }
  public var code: String { if case .noPort = self { "midiPortNotFound" } else { "sequencerUnavailable" } }
  public var hint: String? {
    switch self {
    case .noLibrary: "Install it: apt install libasound2"
    case .noDevice: "Load it with 'modprobe snd-seq'; in a container, pass /dev/snd through."
    case .notPermitted: "Add yourself to the group 'audio': usermod -aG audio NAME, then log in again."
    case .full: "Close some of the programs that 'aconnect -l' lists."
    case .noPort: "'aconnect -o' lists the ports."
    case .noSource: "'aconnect -i' lists the ports that can be read from."
    case .tooManyPorts: "'daw play --midi jack' has a port for each."
    case .failed: "'aconnect -l' lists clients and ports."
    }
  }
}
