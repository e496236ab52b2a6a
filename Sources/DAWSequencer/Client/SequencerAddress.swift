import CALSA

/// A port's address in the sequencer, as `aconnect` prints it: `14:0`.
public struct SequencerAddress: Hashable, Sendable, CustomStringConvertible {
  public var client: Int32
  public var port: Int32

  public init(client: Int32, port: Int32) {
    self.client = client
    self.port = port
  }

  public var description: String { "\(client):\(port)" }
}

/// A writable port.
public struct SequencerDestination: Hashable, Sendable {
  public var address: SequencerAddress
  public var clientName: String
  public var portName: String

  public init(address: SequencerAddress, clientName: String, portName: String) {
    self.address = address
    self.clientName = clientName
    self.portName = portName
  }

  /// Whether `text` names this port: `CLIENT:PORT`, each a number or a case-insensitive name, or `CLIENT` for its port
  /// 0. Names may contain colons: every colon is tried as the separator.
  public func isCalled(_ text: String) -> Bool {
    let text = text.lowercased()
    if matches(text, clientName, address.client), address.port == 0 { return true }
    return text.indices.contains { place in
      text[place] == ":" && matches(text[..<place], clientName, address.client)
        && matches(text[text.index(after: place)...], portName, address.port)
    }
  }

  private func matches(_ text: some StringProtocol, _ name: String, _ number: Int32) -> Bool {
    String(text) == name.lowercased() || Int32(String(text)) == number
  }
}

extension SequencerClient {
  /// All ports that can be subscribed to for writing, except the system's and our own.
  func destinations() -> [SequencerDestination] {
    var client: OpaquePointer?
    var port: OpaquePointer?
    guard library.snd_seq_client_info_malloc(&client) >= 0, let client else { return [] }
    defer { library.snd_seq_client_info_free(client) }
    guard library.snd_seq_port_info_malloc(&port) >= 0, let port else { return [] }
    defer { library.snd_seq_port_info_free(port) }
    let needed = UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
    var found: [SequencerDestination] = []
    library.snd_seq_client_info_set_client(client, -1)
    while library.snd_seq_query_next_client(handle, client) >= 0 {
      let number = library.snd_seq_client_info_get_client(client)
      guard number != self.number, number != SND_SEQ_CLIENT_SYSTEM else { continue }
      let name = library.snd_seq_client_info_get_name(client).map { String(cString: $0) } ?? ""
      library.snd_seq_port_info_set_client(port, number)
      library.snd_seq_port_info_set_port(port, -1)
      while library.snd_seq_query_next_port(handle, port) >= 0 {
        guard library.snd_seq_port_info_get_capability(port) & needed == needed else { continue }
        found.append(
          SequencerDestination(
            address: SequencerAddress(client: number, port: library.snd_seq_port_info_get_port(port)),
            clientName: name, portName: library.snd_seq_port_info_get_name(port).map { String(cString: $0) } ?? ""))
      }
    }
    return found
  }
}
