import CALSA
import DAWEngine

extension OutputWorker {
  /// Makes the port of each track of the plan, removes others, and connects them to the destinations of the project.
  func setPorts(_ planned: [PlannedPort]) throws(SequencerError) {
    let trackIDs = Set(planned.map(\.trackID))
    for port in ports where !trackIDs.contains(port.trackID) { remove(port) }
    ports.removeAll { !trackIDs.contains($0.trackID) }
    status.failures.removeAll { !trackIDs.contains($0.trackID) }
    for next in planned {
      guard let port = ports.first(where: { $0.trackID == next.trackID }) else {
        add(next)
        continue
      }
      if port.name != next.name { client.renamePort(port.number, to: next.name) }
      port.name = next.name
      port.systemExclusive = next.systemExclusive
      guard port.destination != next.destination else { continue }
      if let address = port.connected { client.disconnect(port.number, address, .output) }
      port.connected = nil
      port.destination = next.destination
      try updateSubscribers(of: port)
    }
    try connectAll()
  }

  /// Adds a port. If that fails, the others are not affected, and it is tried again with the next plan.
  private func add(_ planned: PlannedPort) {
    let taken = Set(ports.map(\.row))
    do throws(SequencerError) {
      // One port is the inlet.
      guard ports.count < SequencerClient.maximumPorts - 1,
        let row = (0..<SoundingTable.rowCount).first(where: { !taken.contains($0) })
      else { throw .tooManyPorts }
      ports.append(OutputPort(planned, number: try client.addOutput(planned.name), row: row))
      status.failures.removeAll { $0.trackID == planned.trackID }
    } catch {
      recordFailure(of: planned.trackID, planned.name, error)
    }
  }

  private func remove(_ port: OutputPort) {
    silenceAtOnce(port, at: port.subscribers)
    client.removePort(port.number)
    watchdog?.table.clear(port.row)
    status.connections[port.trackID] = nil
  }

  /// Connects ports that are not connected to the destinations of the project.
  private func connectAll() throws(SequencerError) {
    var missing: [String] = []
    let wanting = ports.filter { $0.destination != nil && $0.connected == nil }
    let destinations = wanting.isEmpty ? [] : client.ports(.output)
    for port in wanting {
      guard let text = port.destination else { continue }
      port.connected = client.connect(port.number, toPortCalled: text, among: destinations, .output)
      guard port.connected != nil else {
        missing.append(text)
        continue
      }
      try updateSubscribers(of: port)
    }
    status.missingDestinations = missing
  }

  /// Updates a port's subscribers: former ones are sent note-offs, new ones the settings.
  private func updateSubscribers(of port: OutputPort) throws(SequencerError) {
    let (earlier, subscribers) = (port.subscribers, client.subscribers(of: port.number, .output))
    port.subscribers = subscribers
    status.connections[port.trackID] = subscribers
    watchdog?.table.setDestinations(port.row, subscribers.map(\.packed))
    silenceAtOnce(port, at: earlier.filter { !subscribers.contains($0) })
    for address in subscribers where !earlier.contains(address) { try sendSettings(of: port, to: address) }
  }

  /// Handles an announcement: a port was connected or disconnected, or a client or port has come or gone.
  func handleAnnouncement(_ event: snd_seq_event_t) throws(SequencerError) {
    switch Announcement(event, to: client.number) {
    case .connection(let number):
      guard let port = ports.first(where: { $0.number == number }) else { return }
      try updateSubscribers(of: port)
    case .arrival: try connectAll()
    case .departure(let departed):
      for port in ports where port.connected?.client == departed {
        port.connected = nil
        try updateSubscribers(of: port)
      }
      try connectAll()
    case nil: break
    }
  }
}
