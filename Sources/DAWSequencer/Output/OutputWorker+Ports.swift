import CALSA
import DAWEngine

extension OutputWorker {
  /// Makes the ports that a plan has and no others, and connects them where it says.
  func setPorts(_ planned: [PlannedPort]) throws(SequencerError) {
    let slots = Set(planned.map(\.slot))
    for port in ports where !slots.contains(port.slot) { remove(port) }
    ports.removeAll { !slots.contains($0.slot) }
    status.failures.removeAll { !slots.contains($0.slot) }
    for next in planned {
      guard let port = ports.first(where: { $0.slot == next.slot }) else {
        add(next)
        continue
      }
      if port.name != next.name { client.renamePort(port.number, to: next.name) }
      port.name = next.name
      port.systemExclusive = next.systemExclusive
      guard port.destination != next.destination else { continue }
      if let address = port.connected { client.disconnect(port.number, from: address) }
      port.connected = nil
      port.destination = next.destination
      try noteSubscribers(of: port)
    }
    try connectAll()
  }

  /// Where a track gets no port, the others have theirs; it is tried again with the next plan.
  private func add(_ planned: PlannedPort) {
    let taken = Set(ports.map(\.row))
    do throws(SequencerError) {
      // One is the inlet.
      guard ports.count < SequencerClient.mostPorts - 1,
        let row = (0..<SoundingTable.rowCount).first(where: { !taken.contains($0) })
      else { throw .tooManyPorts }
      ports.append(OutputPort(planned, number: try client.addOutput(planned.name), row: row))
      status.failures.removeAll { $0.slot == planned.slot }
    } catch {
      noteFailure(of: planned.slot, planned.name, error)
    }
  }

  private func remove(_ port: OutputPort) {
    silenceAtOnce(port, at: port.subscribers)
    client.removePort(port.number)
    watchdog?.table.clear(port.row)
    status.connections[port.slot] = nil
  }

  /// Connects what is not connected to where the project says.
  private func connectAll() throws(SequencerError) {
    var missing: [String] = []
    let wanting = ports.filter { $0.destination != nil && $0.connected == nil }
    let destinations = wanting.isEmpty ? [] : client.destinations()
    for port in wanting {
      guard let text = port.destination else { continue }
      guard let found = destinations.first(where: { $0.isCalled(text) }),
        (try? client.connect(port.number, to: found.address)) != nil
      else {
        missing.append(text)
        continue
      }
      port.connected = found.address
      try noteSubscribers(of: port)
    }
    status.missingDestinations = missing
  }

  /// Looks who hears a port. Who hears it no more is told that its notes end; who has just begun to, its settings.
  private func noteSubscribers(of port: OutputPort) throws(SequencerError) {
    let (earlier, subscribers) = (port.subscribers, client.subscribers(of: port.number))
    port.subscribers = subscribers
    status.connections[port.slot] = subscribers
    watchdog?.table.setDestinations(port.row, subscribers.map(\.packed))
    silenceAtOnce(port, at: earlier.filter { !subscribers.contains($0) })
    for address in subscribers where !earlier.contains(address) { try tellSettings(of: port, to: address) }
  }

  /// Somebody connected or disconnected a port, or a client has come or gone.
  func takeAnnouncement(_ event: snd_seq_event_t) throws(SequencerError) {
    switch snd_seq_event_type(rawValue: UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_SUBSCRIBED, SND_SEQ_EVENT_PORT_UNSUBSCRIBED:
      let sender = event.data.connect.sender
      guard Int32(sender.client) == client.number,
        let port = ports.first(where: { $0.number == Int32(sender.port) })
      else { return }
      try noteSubscribers(of: port)
    case SND_SEQ_EVENT_PORT_START, SND_SEQ_EVENT_CLIENT_START, SND_SEQ_EVENT_CLIENT_CHANGE,
      SND_SEQ_EVENT_PORT_CHANGE:
      try connectAll()
    case SND_SEQ_EVENT_PORT_EXIT, SND_SEQ_EVENT_CLIENT_EXIT:
      let gone = event.data.addr
      for port in ports {
        guard let address = port.connected, address.client == Int32(gone.client) else { continue }
        port.connected = nil
        try noteSubscribers(of: port)
      }
      try connectAll()
    default: break
    }
  }
}
