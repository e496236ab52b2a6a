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

/// A port of another client.
public struct SequencerPort: Hashable, Sendable {
  public var address: SequencerAddress
  public var clientName: String
  public var portName: String
  /// Whether it is the hardware's.
  public var isPhysical: Bool

  public init(address: SequencerAddress, clientName: String, portName: String, isPhysical: Bool = false) {
    self.address = address
    self.clientName = clientName
    self.portName = portName
    self.isPhysical = isPhysical
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
