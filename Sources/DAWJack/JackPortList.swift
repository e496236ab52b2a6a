import CJack
import DAWTime

/// The ports of a JACK server that can be recorded from.
public struct JackPortList: Sendable {
  /// An output of the server or of a client.
  public struct Port: Equatable, Sendable {
    /// In full: `system:capture_1`.
    public var name: String
    public var isMIDI: Bool
    /// Whether it is the hardware's.
    public var isPhysical: Bool
    /// Frames from the outside world to the port, the longest path.
    public var latency: Int
  }

  /// The hardware's first.
  public var ports: [Port]

  /// Asks a server, by a client that is closed again.
  /// - Parameter server: `nil`: the default server.
  /// - Throws: `JackError`.
  public init(server: String?) throws(JackError) {
    let library = try JackLibrary.shared()
    let functions = library.functions
    let client = try JackClient.open(
      library, JackClient.Options(name: "daw-inputs", server: server, sampleRate: SampleRate(hertz: 48_000)))
    defer { _ = functions.jack_client_close(client) }
    ports = []
    for (type, isMIDI) in [(JACK_DEFAULT_AUDIO_TYPE, false), (JACK_DEFAULT_MIDI_TYPE, true)] {
      let physical = library.ports(client, type, JackPortIsOutput.rawValue | JackPortIsPhysical.rawValue)
      let others = library.ports(client, type, JackPortIsOutput.rawValue).filter { !physical.contains($0) }
      for name in physical + others {
        var range = jack_latency_range_t()
        if let port = functions.jack_port_by_name(client, name) {
          functions.jack_port_get_latency_range(port, JackCaptureLatency, &range)
        }
        ports.append(Port(name: name, isMIDI: isMIDI, isPhysical: physical.contains(name), latency: Int(range.max)))
      }
    }
  }
}

extension JackLibrary {
  /// The full names of a server's ports.
  func ports(_ client: OpaquePointer, _ type: String, _ flags: JackPortFlags.RawValue) -> [String] {
    guard let found = functions.jack_get_ports(client, nil, type, UInt(flags)) else { return [] }
    defer { functions.jack_free(found) }
    var names: [String] = []
    while let name = found[names.count] { names.append(String(cString: name)) }
    return names
  }
}
