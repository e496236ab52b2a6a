import CALSA
import Glibc

/// Which way MIDI goes through a port of ours.
enum Direction {
  /// To the ports that it is connected to.
  case output
  /// From them.
  case input
}

extension SequencerClient {
  /// All ports that one of ours can be connected to, except the system's and our own.
  func ports(_ direction: Direction) -> [SequencerPort] {
    var client: OpaquePointer?
    var port: OpaquePointer?
    guard library.snd_seq_client_info_malloc(&client) >= 0, let client else { return [] }
    defer { library.snd_seq_client_info_free(client) }
    guard library.snd_seq_port_info_malloc(&port) >= 0, let port else { return [] }
    defer { library.snd_seq_port_info_free(port) }
    let needed =
      direction == .output
      ? UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
      : UInt32(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
    var found: [SequencerPort] = []
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
          SequencerPort(
            address: SequencerAddress(client: number, port: library.snd_seq_port_info_get_port(port)),
            clientName: name, portName: library.snd_seq_port_info_get_name(port).map { String(cString: $0) } ?? "",
            isPhysical: library.snd_seq_port_info_get_type(port) & UInt32(SND_SEQ_PORT_TYPE_HARDWARE) != 0))
      }
    }
    return found
  }

  /// Connects one of our ports to another client's. Does nothing if they are connected.
  /// - Throws: `SequencerError.failed`.
  func connect(_ port: Int32, _ address: SequencerAddress, _ direction: Direction) throws(SequencerError) {
    let result =
      direction == .output
      ? library.snd_seq_connect_to(handle, port, address.client, address.port)
      : library.snd_seq_connect_from(handle, port, address.client, address.port)
    guard result != -EBUSY else { return }
    try check(result, "connect to \(address)")
  }

  /// Connects one of our ports to the port that `text` names, as `CLIENT:PORT`.
  /// - Returns: its address; `nil` if it is not there, or refuses.
  func connect(
    _ port: Int32, toPortCalled text: String, among ports: [SequencerPort], _ direction: Direction
  ) -> SequencerAddress? {
    guard let found = ports.first(where: { $0.isCalled(text) }),
      (try? connect(port, found.address, direction)) != nil
    else { return nil }
    return found.address
  }

  func disconnect(_ port: Int32, _ address: SequencerAddress, _ direction: Direction) {
    switch direction {
    case .output: _ = library.snd_seq_disconnect_to(handle, port, address.client, address.port)
    case .input: _ = library.snd_seq_disconnect_from(handle, port, address.client, address.port)
    }
  }

  /// The ports that are connected to one of ours.
  func subscribers(of port: Int32, _ direction: Direction) -> [SequencerAddress] {
    var query: OpaquePointer?
    guard library.snd_seq_query_subscribe_malloc(&query) >= 0, let query else { return [] }
    defer { library.snd_seq_query_subscribe_free(query) }
    var root = snd_seq_addr_t(client: UInt8(truncatingIfNeeded: number), port: UInt8(truncatingIfNeeded: port))
    library.snd_seq_query_subscribe_set_root(query, &root)
    library.snd_seq_query_subscribe_set_type(
      query, direction == .output ? SND_SEQ_QUERY_SUBS_READ : SND_SEQ_QUERY_SUBS_WRITE)
    var found: [SequencerAddress] = []
    for index in Int32(0)..<Int32(1_000) {
      library.snd_seq_query_subscribe_set_index(query, index)
      guard library.snd_seq_query_port_subscribers(handle, query) >= 0 else { break }
      if let address = library.snd_seq_query_subscribe_get_addr(query)?.pointee {
        found.append(SequencerAddress(client: Int32(address.client), port: Int32(address.port)))
      }
    }
    return found
  }

  /// Subscribes `port` to announcements of clients, ports and connections that come and go.
  func listenToAnnouncements(_ port: Int32) {
    _ = library.snd_seq_connect_from(
      handle, port, Int32(SND_SEQ_CLIENT_SYSTEM), Int32(SND_SEQ_PORT_SYSTEM_ANNOUNCE))
  }
}

/// What the system says of clients, ports and connections.
enum Announcement {
  /// A connection of one of our ports was made or has ended.
  case connection(port: Int32)
  /// A client or a port has come or has another name.
  case arrival
  /// A client has gone, or one of its ports.
  case departure(client: Int32)

  /// - Parameter client: ours.
  init?(_ event: snd_seq_event_t, to client: Int32) {
    switch snd_seq_event_type(rawValue: UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_SUBSCRIBED, SND_SEQ_EVENT_PORT_UNSUBSCRIBED:
      let ends = [event.data.connect.sender, event.data.connect.dest]
      guard let end = ends.first(where: { Int32($0.client) == client }) else { return nil }
      self = .connection(port: Int32(end.port))
    case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_CLIENT_START, SND_SEQ_EVENT_CLIENT_CHANGE,
      SND_SEQ_EVENT_PORT_CHANGE:
      self = .arrival
    case SND_SEQ_EVENT_PORT_EXIT, SND_SEQ_EVENT_CLIENT_EXIT:
      self = .departure(client: Int32(event.data.addr.client))
    default: return nil
    }
  }
}
