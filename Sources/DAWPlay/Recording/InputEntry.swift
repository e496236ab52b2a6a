import DAWErrors
import DAWJack
import DAWProject

/// A port that can be recorded from.
public struct InputEntry: Encodable, Sendable {
  public enum Kind: String, Encodable, Sendable { case audio, midi }

  /// In full: `system:capture_1`.
  public var name: String
  public var kind: Kind
  /// Whether it is the hardware's.
  public var isPhysical: Bool
  /// Frames from the outside world to the port, as the server says.
  public var latency: Int
  /// The tracks that record from it.
  public var tracks: [String]
}

extension Session {
  /// The ports of a JACK server that can be recorded from, the hardware's first.
  /// - Parameter server: `nil`: the usual one.
  /// - Throws: `Failure`.
  public func inputs(server: String?) throws -> [InputEntry] {
    let tracks = try read { try $0.tracks() }
    let list: JackPortList
    do throws(JackError) { list = try JackPortList(server: server) } catch {
      throw Failure(error, server: server, folder: folder.name)
    }
    return list.ports.map { port in
      InputEntry(
        name: port.name, kind: port.isMIDI ? .midi : .audio, isPhysical: port.isPhysical, latency: port.latency,
        tracks: tracks.filter { [$0.input1, $0.input2, $0.midiInput].contains(port.name) }.map(\.name.text))
    }
  }
}
