import DAWErrors
import DAWJack
import DAWProject
import DAWSequencer

/// A port that can be recorded from.
public struct InputEntry: Encodable, Sendable {
  public enum Kind: String, Encodable, Sendable { case audio, midi }
  public enum System: String, Encodable, Sendable { case jack, alsa }

  /// In full: `system:capture_1`.
  public var name: String
  public var kind: Kind
  public var system: System
  /// Whether it is the hardware's.
  public var isPhysical: Bool
  /// Frames from the outside world to the port, as the server says.
  public var latency: Int
  /// The tracks that record from it.
  public var tracks: [String]
}

extension Session {
  /// The ports that can be recorded from: those of a JACK server, the hardware's first, and of the ALSA sequencer.
  /// - Parameter server: `nil`: the usual one.
  /// - Throws: `Failure`.
  public func inputs(server: String?) throws -> [InputEntry] {
    let tracks = try read { try $0.tracks() }
    let list: JackPortList
    do throws(JackError) { list = try JackPortList(server: server) } catch {
      throw Failure(error, server: server, folder: folder.name)
    }
    let sequencer = MIDIOutput.isThere ? (try? SequencerInput.sources()) ?? [] : []
    return list.ports.map { port in
      InputEntry(
        name: port.name, kind: port.isMIDI ? .midi : .audio, system: .jack, isPhysical: port.isPhysical,
        latency: port.latency,
        tracks: tracks.filter { [$0.input1, $0.input2, $0.midiInput].contains(port.name) }.map(\.name.text))
    }
      + sequencer.map { port in
        InputEntry(
          name: port.name(among: sequencer), kind: .midi, system: .alsa, isPhysical: port.isPhysical, latency: 0,
          tracks: tracks.filter { $0.midiInput.map(port.isCalled) == true }.map(\.name.text))
      }
  }
}
