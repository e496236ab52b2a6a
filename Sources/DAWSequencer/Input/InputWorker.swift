import CALSA
import DAWEngine
import DAWTime
import Glibc

/// The loop of the thread that receives.
final class InputWorker {
  private let client: SequencerClient
  private let queue: SequencerQueue
  /// The port that receives announcements.
  private let inlet: Int32
  private let messages: MIDICapture
  private var ports: [InputPort] = []
  private var status = SequencerInputStatus()
  private var reading = QueueReading()
  private var follower = ClockFollower()
  private var exclusives = ExclusiveJoiner()

  /// Milliseconds between rounds. Messages have the kernel's stamps, so this does not matter to their frames.
  private static let period: Int32 = 4
  /// Cells of the kernel's buffer for the client, as many as it allows.
  private static let poolSize = 2_000
  /// The most events read in a round.
  private static let maximumInput = 4_000

  /// - Throws: `SequencerError`.
  init(clientName: String, messages: MIDICapture, library: calsa? = nil) throws(SequencerError) {
    self.messages = messages
    client = try SequencerClient(name: clientName, library: library)
    inlet = try client.addInput("announcements")
    queue = try SequencerQueue(of: client, name: clientName)
    client.setInputSize(Self.poolSize)
    client.listenToAnnouncements(inlet)
  }

  func run(
    _ clock: any HostClock,
    exchange: (SequencerInputStatus) -> (ports: [SequencerInput.Port]?, isStopping: Bool)
  ) {
    // Without the permission it runs at normal priority, and may lose what a flood of messages brings.
    var priority = sched_param()
    priority.sched_priority = 10
    _ = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority)
    do throws(SequencerError) {
      while true {
        let (wanted, isStopping) = exchange(status)
        try measure(clock)
        if let wanted { setPorts(wanted) }
        try readInput(clock)
        if isStopping { break }
        client.wait(milliseconds: Self.period)
      }
    } catch {
      status.problem = error
    }
    for index in ports.indices {
      ports[index].monitor.release(client)
      messages.reportLoss(of: ports[index].planned.number)
    }
    _ = exchange(status)
  }

  private func measure(_ clock: any HostClock) throws(SequencerError) {
    let measured = try reading.measure(queue, clock)
    follower.measure(before: measured.before, queue: reading.time, after: measured.after)
  }

  // MARK: Events

  private func readInput(_ clock: any HostClock) throws(SequencerError) {
    let now = clock.hostFrame(at: Double(clock.microseconds))
    defer { for port in ports { messages.reportLoss(of: port.planned.number) } }
    for _ in 0..<Self.maximumInput {
      switch try client.readInput() {
      case .event(let event):
        if Int32(event.dest.port) == inlet { handleAnnouncement(event) } else { take(event, clock) }
      case .overrun: handleOverrun(clock)
      case .nothing:
        if let now { status.readTo = now }
        return
      }
    }
  }

  private func take(_ event: snd_seq_event_t, _ clock: any HostClock) {
    guard let index = ports.firstIndex(where: { $0.number == Int32(event.dest.port) }) else { return }
    let received = event.messages
    guard !received.isEmpty else { return }
    ports[index].monitor.pass(event, received, by: client)
    let number = ports[index].planned.number
    guard let frame = frame(of: event, clock) else {
      let frame = clock.record().hostFrame
      return messages.lose(received.count, of: number, from: frame, through: frame)
    }
    status.readTo = max(status.readTo, frame)
    status.receivedCount += received.count
    let source = number << 16 | Int(event.source.client) << 8 | Int(event.source.port)
    for bytes in received {
      let part = CapturedMessage(hostFrame: frame, input: number, bytes: bytes)
      if let message = exclusives.join(part, by: source) { write(message) }
    }
    while let loss = exclusives.takeLoss() {
      messages.lose(loss.count, of: loss.input, from: loss.first, through: loss.last)
    }
  }

  private func write(_ message: CapturedMessage) {
    message.bytes.withUnsafeBufferPointer { bytes in
      guard let first = bytes.baseAddress else { return }
      messages.write(first, count: bytes.count, of: message.input, at: message.hostFrame)
    }
  }

  /// When an event arrived: by the kernel's stamp; for one without, now.
  /// - Returns: `nil` while the host does not know its frames' times.
  private func frame(of event: snd_seq_event_t, _ clock: any HostClock) -> HostFrame? {
    guard Int32(event.queue) == queue.number, event.flags & UInt8(SND_SEQ_TIME_STAMP_REAL) != 0 else {
      return clock.hostFrame(at: Double(clock.microseconds))
    }
    return clock.hostFrame(at: follower.hostTime(at: event.time.nanoseconds))
  }

  /// The kernel's buffer was full, and all that was in it is gone: of each port, as far as is known.
  private func handleOverrun(_ clock: any HostClock) {
    status.overrunCount += 1
    let now = clock.hostFrame(at: Double(clock.microseconds)) ?? status.readTo
    for port in ports { messages.lose(1, of: port.planned.number, from: min(status.readTo, now), through: now) }
    status.readTo = now
    exclusives.interruptAll()
    for index in ports.indices {
      ports[index].monitor.release(client)
      // Announcements may be lost as well.
      ports[index].connected = nil
    }
    connectAll()
  }

  // MARK: Ports

  /// Makes the ports, removes others, and connects them to their sources.
  private func setPorts(_ wanted: [SequencerInput.Port]) {
    for port in ports where !wanted.contains(where: { $0.number == port.planned.number }) { remove(port) }
    ports.removeAll { port in !wanted.contains { $0.number == port.planned.number } }
    status.failures = [:]
    for next in wanted {
      guard let index = ports.firstIndex(where: { $0.planned.number == next.number }) else {
        add(next)
        continue
      }
      if ports[index].planned.name != next.name { client.renamePort(ports[index].number, to: next.name) }
      if ports[index].planned.source != next.source, let address = ports[index].connected {
        client.disconnect(ports[index].number, address, .input)
        ports[index].connected = nil
      }
      ports[index].planned = next
      ports[index].monitor.setDestinations(next.monitors, client)
    }
    connectAll()
  }

  private func add(_ planned: SequencerInput.Port) {
    do throws(SequencerError) {
      // One port is the inlet.
      guard ports.count < SequencerClient.maximumPorts - 1 else { throw .tooManyPorts }
      let number = try client.addInput(planned.name, isExported: true)
      do throws(SequencerError) {
        try client.stampInput(number, by: queue.number)
      } catch {
        client.removePort(number)
        throw error
      }
      var port = InputPort(planned: planned, number: number, monitor: InputMonitor(port: number))
      port.monitor.setDestinations(planned.monitors, client)
      ports.append(port)
      // One that has gone is refused, and skipped.
      for sender in planned.senders { try? client.connect(number, sender, .input) }
    } catch {
      status.failures[planned.number] = error
    }
  }

  private func remove(_ port: InputPort) {
    var port = port
    port.monitor.release(client)
    client.removePort(port.number)
    status.connections[port.planned.number] = nil
    messages.reportLoss(of: port.planned.number)
  }

  private func connectAll() {
    let wanting = ports.contains { $0.planned.source != nil && $0.connected == nil }
    let sources = wanting ? client.ports(.input) : []
    var missing: [String] = []
    for index in ports.indices {
      if let text = ports[index].planned.source, ports[index].connected == nil {
        ports[index].connected = client.connect(ports[index].number, toPortCalled: text, among: sources, .input)
        if ports[index].connected == nil { missing.append(text) }
      }
      status.connections[ports[index].planned.number] = client.subscribers(of: ports[index].number, .input)
    }
    status.missingSources = missing
  }

  private func handleAnnouncement(_ event: snd_seq_event_t) {
    switch Announcement(event, to: client.number) {
    case .connection, .arrival: connectAll()
    case .departure(let departed):
      for index in ports.indices where ports[index].connected?.client == departed { ports[index].connected = nil }
      connectAll()
    case nil: break
    }
  }
}

/// An input's port on the sequencer.
private struct InputPort {
  var planned: SequencerInput.Port
  /// The port's number in the sequencer.
  var number: Int32
  /// The source that we have connected it to; other programs may disconnect it.
  var connected: SequencerAddress?
  var monitor: InputMonitor
}
